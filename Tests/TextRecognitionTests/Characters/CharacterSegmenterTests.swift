import Testing

@testable import TextRecognition

@Suite struct CharacterSegmenterTests {
    @Test(arguments: [(220, 30), (30, 220)] as [(Float, Float)])
    func lettersComeFromLeftToRight(background: Float, foreground: Float) {
        let boxes = [BoundingBox(5, 15), BoundingBox(22, 26, y0: 4, y1: 38), BoundingBox(33, 60, y0: 18, y1: 44)]
        let line = SyntheticLine(width: 70, background: background, foreground: foreground).drawing(
            boxes[2],
            boxes[0],
            boxes[1]
        )
        #expect(line.segmented().edges == boxes.edges)
    }

    @Test func piecesAboveOneAnotherMakeOneLetter() {
        let line = SyntheticLine(width: 70).drawing(
            BoundingBox(10, 14, y0: 18, y1: 38),
            BoundingBox(9, 15, y0: 8, y1: 13),
            BoundingBox(30, 50, y0: 14, y1: 20),
            BoundingBox(30, 50, y0: 30, y1: 36)
        )
        #expect(
            line.segmented().edges == [BoundingBox(9, 15, y0: 8, y1: 38), BoundingBox(30, 50, y0: 14, y1: 36)].edges
        )
    }

    @Test func lettersThatOverlapALittleStayTwo() {
        let line = SyntheticLine(width: 70).drawing(
            BoundingBox(10, 30, y0: 10, y1: 20),
            BoundingBox(25, 45, y0: 24, y1: 38)
        )
        #expect(line.segmented().count == 2)
    }

    @Test func rulesSpecksAndNeighbouringLinesAreNoLetters() {
        let letter = BoundingBox(30, 45)
        let line = SyntheticLine(width: 140).drawing(
            letter,
            BoundingBox(0, 110, y0: 1, y1: 3),
            BoundingBox(60, 61, y0: 20, y1: 22),
            BoundingBox(80, 90, y0: 44, y1: 48),
            BoundingBox(120, 123, y0: 0, y1: 48)
        )
        #expect(line.segmented().edges == [letter.edges])
    }

    @Test(arguments: [0, 128, 255] as [Float])
    func aLineWithoutInkHasNoLetters(brightness: Float) {
        #expect(SyntheticLine(width: 70, background: brightness).segmented().isEmpty)
    }
}
