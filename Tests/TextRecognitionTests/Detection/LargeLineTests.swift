import TextModel
import Testing

@testable import TextRecognition

@Suite struct LargeLineTests {
    private static func line(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> DetectedLine {
        let centre = Point(x: x + width / 2, y: y + height / 2)
        return DetectedLine(
            rect: RotatedRect(centre: centre, axis: Point(x: 1, y: 0), width: width, height: height),
            score: 0.9
        )
    }

    /// Heights of the lines that are left beside a large one of 800 x 400 pixels at the origin.
    private static func heights(beside lines: [DetectedLine]) -> [Float] {
        lines.merged(with: [Self.line(0, 0, 800, 400)]).map(\.letterHeight)
    }

    @Test func aLargeLineThatNothingShowsIsAdded() {
        #expect(Self.heights(beside: []) == [400])
        #expect(Self.heights(beside: [Self.line(900, 0, 100, 30)]) == [30, 400])
    }

    @Test func piecesOfItsLettersGoAndTextBesideThemStays() {
        let pieces = [Self.line(0, 20, 200, 300), Self.line(300, 100, 180, 180)]
        #expect(Self.heights(beside: pieces + [Self.line(320, 150, 100, 20)]) == [20, 400])
    }

    @Test func theLinesOfABlockAreNoLargeLine() {
        let block = (0..<8).map { Self.line(20, 50 * Float($0), 760, 30) }
        #expect(Self.heights(beside: block) == block.map(\.letterHeight))
    }

    @Test func lettersThatStandOnOneAnotherStay() {
        let letters = (0..<4).map { Self.line(20, 220 * Float($0), 180, 190) }
        let stacked = letters.merged(with: [Self.line(0, 0, 220, 860)])
        #expect(stacked.map(\.letterHeight) == letters.map(\.letterHeight))
    }

    @Test func aLineThatWasDetectedWholeStays() {
        #expect(Self.heights(beside: [Self.line(-10, 5, 820, 390)]) == [390])
    }
}
