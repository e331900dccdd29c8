import TextModel
import GlyphwireProtocol
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct WordIDsTests {
    private static func inherited(
        by words: [TextWord],
        from old: [TextWord],
        minSimilarity: WordSimilarity = .different
    ) -> [UInt64] {
        let numbered = zip(old, 1...).map { (word: $0, id: UInt64($1)) }
        return WordIDs.inherited(by: words, from: numbered, minSimilarity: minSimilarity)
    }

    @Test func aWordThatIsSplitInTwoPassesItsIDToThePartWithMostOverlap() {
        let parts = [TextWord("MELL", 0..<35), TextWord("SEXY", 38..<75)]
        #expect(Self.inherited(by: parts, from: [TextWord("MELLSEXY", 0..<75)]) == [WordIDs.none, 1])
    }

    @Test func anIdenticalReadingOutweighsALargerOverlap() {
        let words = [TextWord("TO", 0..<40), TextWord("ROME", 40..<80)]
        #expect(Self.inherited(by: words, from: [TextWord("ROME", 15..<60)]) == [WordIDs.none, 1])
    }

    @Test(arguments: [("RAN", WordIDs.none), ("CAN", 1), ("CANOES", 1)] as [(String, UInt64)])
    func anotherWordInThePlaceOfAConvergedOneIsNotTheSame(text: String, id: UInt64) {
        let converged = [(word: TextWord("CAN", 0..<40), id: UInt64(1))]
        let words = [TextWord(text, 0..<40)]
        #expect(WordIDs.inherited(by: words, from: converged, minSimilarity: .similar, converged: [1]) == [id])
        #expect(WordIDs.inherited(by: words, from: converged, minSimilarity: .similar) == [1])
    }

    @Test func aSimilarReadingOutweighsADifferentOne() {
        let words = [TextWord("SALE", 0..<40), TextWord("IAY", 45..<80)]
        #expect(Self.inherited(by: words, from: [TextWord("WAY", 10..<75)]) == [WordIDs.none, 1])
        #expect(
            Self.inherited(by: words, from: [TextWord("WAY", 40..<80)], minSimilarity: .similar) == [WordIDs.none, 1]
        )
        #expect(
            Self.inherited(by: words, from: [TextWord("WAY", 40..<80)], minSimilarity: .identical) == [
                WordIDs.none, WordIDs.none,
            ]
        )
    }

    @Test func noIDIsInheritedTwiceOrByAWordElsewhere() {
        let words = [TextWord("A", 0..<20), TextWord("A", 2..<22), TextWord("A", 100..<120)]
        #expect(Self.inherited(by: words, from: [TextWord("A", 1..<20)]) == [1, WordIDs.none, WordIDs.none])
        let others = Self.inherited(by: words, from: [TextWord("B", 0..<20)], minSimilarity: .similar)
        #expect(others.allSatisfy { $0 == WordIDs.none })
    }

    @Test func aNarrowWordWithAVaryingBoxKeepsItsID() {
        #expect(Self.inherited(by: [TextWord("I", 6..<10)], from: [TextWord("I", 0..<4)]) == [1])
        #expect(Self.inherited(by: [TextWord("I", 6..<10)], from: [TextWord("a", 0..<4)]) == [WordIDs.none])
    }

    @Test func anotherWordInheritsNoIDOfAWordThatTheLineStillHas() {
        let words = [TextWord("to", 0..<20), TextWord("sea", 30..<60)]
        #expect(Self.inherited(by: words, from: [TextWord("sea", 2..<22)]) == [WordIDs.none, WordIDs.none])
    }

    /// Ids that a line inherits from an earlier one that has moved.
    private static func inherited(by line: [TextWord], moved old: [TextWord]) -> [UInt64] {
        let numbered = zip(old, 1...).map { (word: $0, id: UInt64($1)) }
        var displacements = WordDisplacement(from: old, to: line)
        let displacement = displacements.of(line.indices)
        return WordIDs.inherited(by: line, from: numbered, minSimilarity: .similar, displacement: displacement)
    }

    @Test func wordsOfATickerKeepTheirIDsHoweverNarrowTheyAre() {
        let old = [TextWord("is", 20..<34), TextWord("4", 44..<54), TextWord("2", 64..<74), TextWord("at", 84..<100)]
        let line = [TextWord("4", 14..<24), TextWord("2", 34..<44), TextWord("at", 54..<70), TextWord("is", 80..<94)]
        #expect(Self.inherited(by: line, moved: old) == [2, 3, 4, WordIDs.none])
    }

    @Test func aLineWithAnotherTextInheritsNoIDFromOneSharedWord() {
        let old = [TextWord("never", 20..<70), TextWord("said", 80..<120), TextWord("it", 130..<140)]
        let line = [TextWord("leave", 20..<70), TextWord("it", 80..<90), TextWord("here", 100..<140)]
        #expect(Self.inherited(by: line, moved: old).allSatisfy { $0 == WordIDs.none })
    }

    @Test func aSingleWordMovesNoFartherThanItsHeight() {
        let old = [TextWord("go", 0..<20)]
        #expect(Self.inherited(by: [TextWord("go", 20..<40)], moved: old) == [1])
        #expect(Self.inherited(by: [TextWord("go", 90..<110)], moved: old) == [WordIDs.none])
    }
}
