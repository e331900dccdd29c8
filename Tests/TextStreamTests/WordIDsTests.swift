import FrameCodecs
import GlyphwireProtocol
import TextEngine
import Testing

@testable import TextStream

@Suite struct WordIDsTests {
    private static func word(_ text: String, _ columns: Range<Int>) -> TextWord {
        let box = Quad(Box(left: columns.lowerBound, top: 0, right: columns.upperBound, bottom: 20))
        return TextWord(text: text, confidence: 0.9, box: box, characters: [])
    }

    private static func inherited(by words: [TextWord], from old: [TextWord], isSameText: Bool = false) -> [UInt64] {
        let numbered = zip(old, 1...).map { (word: $0, id: UInt64($1)) }
        return WordIDs.inherited(by: words, from: numbered, isSameText: isSameText)
    }

    @Test func aWordThatIsTakenForTwoGoesOnInTheOneThatSharesMost() {
        let parts = [Self.word("MELL", 0..<35), Self.word("SEXY", 38..<75)]
        #expect(Self.inherited(by: parts, from: [Self.word("MELLSEXY", 0..<75)]) == [WordIDs.none, 1])
    }

    @Test func whatSaysTheSameIsTheSameWordWhereverMoreIsShared() {
        let words = [Self.word("TO", 0..<40), Self.word("ROME", 40..<80)]
        #expect(Self.inherited(by: words, from: [Self.word("ROME", 15..<60)]) == [WordIDs.none, 1])
    }

    @Test func noNumberIsHandedOnTwiceOrToAWordElsewhere() {
        let words = [Self.word("A", 0..<20), Self.word("A", 2..<22), Self.word("A", 100..<120)]
        #expect(Self.inherited(by: words, from: [Self.word("A", 1..<20)]) == [1, WordIDs.none, WordIDs.none])
        let others = Self.inherited(by: words, from: [Self.word("B", 0..<20)], isSameText: true)
        #expect(others.allSatisfy { $0 == WordIDs.none })
    }
}
