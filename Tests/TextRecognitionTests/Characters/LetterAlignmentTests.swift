import Testing

@testable import TextRecognition

@Suite struct LetterAlignmentTests {
    private static func characters(_ letters: [BoundingBox], _ centres: [Float], _ widths: [Float]? = nil) -> [Range<
        Int
    >]? {
        LetterAlignment.characters(
            of: letters,
            centres: centres,
            glyphWidths: widths ?? centres.map { _ in 0.5 }
        )
    }

    @Test func asManyLettersAsCharactersHoldOneEach() {
        let letters = [BoundingBox(0, 10), BoundingBox(12, 16), BoundingBox(20, 30)]
        #expect(Self.characters(letters, [5, 14, 25]) == [0..<1, 1..<2, 2..<3])
        #expect(Self.characters(letters, [20, 25, 29]) == [0..<1, 1..<2, 2..<3])
    }

    @Test func aWideLetterHoldsThoseThatTouch() {
        let letters = [BoundingBox(0, 10), BoundingBox(12, 32), BoundingBox(35, 45)]
        #expect(Self.characters(letters, [5, 17, 27, 40]) == [0..<1, 1..<3, 3..<4])
        // Their middles alone would have it the first that holds two.
        #expect(Self.characters(letters, [2, 9, 22, 40]) == [0..<1, 1..<3, 3..<4])
    }

    @Test func whatCannotBeIsNone() {
        #expect(Self.characters([], [5]) == nil)
        #expect(Self.characters([BoundingBox(0, 10), BoundingBox(12, 20)], [5]) == nil)
        // Five that hang together are a script whose letters do.
        #expect(Self.characters([BoundingBox(0, 50)], [5, 15, 25, 35, 45]) == nil)
    }

    @Test func anyMiddlesAndWidthsGiveGroupsInOrderOrNone() {
        let letters = [BoundingBox(0, 10), BoundingBox(12, 32)]
        let odd: [Float] = [.nan, .infinity, 0, -1, .greatestFiniteMagnitude]
        for middle in odd {
            for width in odd {
                let groups = Self.characters(letters, [middle, 5, 20], [width, 0.5, 0.5])
                #expect(groups == nil || groups?.map(\.count).reduce(0, +) == 3)
            }
        }
    }
}
