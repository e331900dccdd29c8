import GlyphwireProtocol
import TextEngine
import Testing

@testable import TextTracking

@Suite struct WordIDsTests {
    private static func inherited(
        by words: [TextWord],
        from old: [TextWord],
        leastLikeness: WordLikeness = .other
    ) -> [UInt64] {
        let numbered = zip(old, 1...).map { (word: $0, id: UInt64($1)) }
        return WordIDs.inherited(by: words, from: numbered, leastLikeness: leastLikeness)
    }

    @Test func aWordThatIsTakenForTwoGoesOnInTheOneThatSharesMost() {
        let parts = [TextWord("MELL", 0..<35), TextWord("SEXY", 38..<75)]
        #expect(Self.inherited(by: parts, from: [TextWord("MELLSEXY", 0..<75)]) == [WordIDs.none, 1])
    }

    @Test func whatSaysTheSameIsTheSameWordWhereverMoreIsShared() {
        let words = [TextWord("TO", 0..<40), TextWord("ROME", 40..<80)]
        #expect(Self.inherited(by: words, from: [TextWord("ROME", 15..<60)]) == [WordIDs.none, 1])
    }

    @Test func whatSaysMuchTheSameIsTheSameWordBeforeWhatSaysSomethingElse() {
        let words = [TextWord("SALE", 0..<40), TextWord("IAY", 45..<80)]
        #expect(Self.inherited(by: words, from: [TextWord("WAY", 10..<75)]) == [WordIDs.none, 1])
        #expect(
            Self.inherited(by: words, from: [TextWord("WAY", 40..<80)], leastLikeness: .alike) == [WordIDs.none, 1]
        )
        #expect(
            Self.inherited(by: words, from: [TextWord("WAY", 40..<80)], leastLikeness: .same) == [
                WordIDs.none, WordIDs.none,
            ]
        )
    }

    @Test func noNumberIsHandedOnTwiceOrToAWordElsewhere() {
        let words = [TextWord("A", 0..<20), TextWord("A", 2..<22), TextWord("A", 100..<120)]
        #expect(Self.inherited(by: words, from: [TextWord("A", 1..<20)]) == [1, WordIDs.none, WordIDs.none])
        let others = Self.inherited(by: words, from: [TextWord("B", 0..<20)], leastLikeness: .alike)
        #expect(others.allSatisfy { $0 == WordIDs.none })
    }
}
