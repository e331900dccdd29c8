import Testing

@testable import TextRecognition

@Suite struct LetterAlignmentTests {
    private static func align(
        _ groups: [BoundingBox],
        _ centres: [Float],
        widths: [Float]? = nil
    ) -> [Range<Int>]? {
        LetterAlignment.align(groups, with: .expected(at: centres, advanceWidths: widths))
    }

    @Test func asManyGroupsAsCharactersAreOneEach() {
        let groups = [BoundingBox(0, 10), BoundingBox(12, 16), BoundingBox(20, 30)]
        #expect(Self.align(groups, [5, 14, 25]) == [0..<1, 1..<2, 2..<3])
        #expect(Self.align(groups, [20, 25, 29]) == [0..<1, 1..<2, 2..<3])
    }

    @Test func aWideGroupHoldsTheCharactersThatTouch() {
        let groups = [BoundingBox(0, 10), BoundingBox(12, 32), BoundingBox(35, 45)]
        #expect(Self.align(groups, [5, 17, 27, 40]) == [0..<1, 1..<3, 3..<4])
        // By the centres alone the first group would hold two.
        #expect(Self.align(groups, [2, 9, 22, 40]) == [0..<1, 1..<3, 3..<4])
    }

    @Test func anImpossibleAlignmentIsNil() {
        #expect(Self.align([], [5]) == nil)
        #expect(Self.align([BoundingBox(0, 10), BoundingBox(12, 20)], [5]) == nil)
        // Five characters that touch are connected script.
        #expect(Self.align([BoundingBox(0, 50)], [5, 15, 25, 35, 45]) == nil)
    }

    @Test func anyCentresAndWidthsAlignInOrderOrNotAtAll() {
        let groups = [BoundingBox(0, 10), BoundingBox(12, 32)]
        let odd: [Float] = [.nan, .infinity, 0, -1, .greatestFiniteMagnitude]
        for middle in odd {
            for width in odd {
                let groups = Self.align(groups, [middle, 5, 20], widths: [width, 0.5, 0.5])
                #expect(groups == nil || groups?.map(\.count).reduce(0, +) == 3)
            }
        }
    }
}
