import Testing

@testable import TextEngine

@Suite struct WordSplitterTests {
    /// Boxes 20 high and 10 wide with `gaps` between them.
    private static func boxes(_ gaps: [Float]) -> [InkBox] {
        var boxes = [InkBox(0, 10, y0: 10, y1: 30)]
        for gap in gaps {
            let start = (boxes.last?.x1 ?? 0) + gap
            boxes.append(InkBox(start, start + 10, y0: 10, y1: 30))
        }
        return boxes
    }

    private static func words(_ gaps: [Float], spacesBefore: Set<Int> = []) -> [Range<Int>] {
        let boxes = Self.boxes(gaps)
        return WordSplitter.words(boxes, startsAfterSpace: boxes.indices.map { spacesBefore.contains($0) })
    }

    @Test func lettersAtUsualGapsAreOneWord() {
        #expect(Self.words([2, 3, 2, 4, 2]) == [0..<6])
    }

    @Test func aSpaceThatWasReadEndsAWordHoweverNarrow() {
        #expect(Self.words([2, 2, 2], spacesBefore: [2]) == [0..<2, 2..<4])
    }

    @Test func aWideGapEndsAWordThoughNoSpaceWasRead() {
        #expect(Self.words([2, 2, 12, 2]) == [0..<3, 3..<5])
    }

    @Test func aGapThatIsNarrowerThanTheSpacesThatWereReadEndsNoWord() {
        #expect(Self.words([2, 12, 2, 2, 2]) == [0..<2, 2..<6])
        #expect(Self.words([2, 12, 2, 18, 2], spacesBefore: [4]) == [0..<4, 4..<6])
        #expect(Self.words([2, 15, 2, 18, 2], spacesBefore: [4]) == [0..<2, 2..<4, 4..<6])
    }

    @Test func lettersThatAllStandFarApartAreOneWord() {
        #expect(Self.words([12, 12, 13, 12, 12]) == [0..<6])
    }

    @Test func aLetterAloneIsAWordAndNothingIsNone() {
        #expect(Self.words([]) == [0..<1])
        #expect(WordSplitter.words([], startsAfterSpace: []).isEmpty)
    }

    @Test func wordsCoverEveryCharacterOnce() {
        var random = SeededRandom(33)
        for _ in 0..<200 {
            let gaps = (0..<Int.random(in: 0...30, using: &random)).map { _ in Float.random(in: -8...30, using: &random)
            }
            let spaces = Set((0...gaps.count).filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
            let words = Self.words(gaps, spacesBefore: spaces)
            #expect(words.flatMap { Array($0) } == Array(0...gaps.count))
            #expect(words.allSatisfy { !$0.isEmpty })
        }
    }
}
