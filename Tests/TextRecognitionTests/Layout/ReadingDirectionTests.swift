import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct ReadingDirectionTests {
    /// A line recognized with certainty, upright or upside down.
    private static func line(_ text: String, isUpright: Bool = true) -> TextLine {
        let box = Quad(x: 10, y: 10, width: 80, height: 20)
        let word = TextWord(text: text, confidence: 1, box: box, characters: [])
        return TextLine(text: text, confidence: 1, box: isUpright ? box : box.turned(2), words: [word])
    }

    private static func turn(_ lines: TextLine...) -> Int? {
        PixelBuffer(width: 100, height: 100, format: .gray).withPixels { view in
            var direction = ReadingDirection()
            for line in lines { direction.count(line, in: UprightFrame(view, orientation: .up)) }
            return direction.turn
        }
    }

    @Test func mostLettersDecide() {
        #expect(Self.turn(Self.line("Exit")) == 0)
        #expect(Self.turn(Self.line("Exit", isUpright: false)) == 2)
        #expect(Self.turn(Self.line("Exit", isUpright: false), Self.line("Platforms")) == 0)
        #expect(Self.turn(Self.line("Exit"), Self.line("Rail", isUpright: false)) == nil)
    }

    @Test func whatReadsBothWaysHasNoSay() {
        #expect(Self.turn(Self.line("***************", isUpright: false)) == nil)
        #expect(Self.turn(Self.line("***************", isUpright: false), Self.line("Exit")) == 0)
    }

    /// Reader of boxes of which each has the text "Platforms", in the direction of its box, or upside down.
    private final class BoxReader: RegionReader {
        let lines: [DetectedLine]
        let isUpsideDown: @Sendable (DetectedLine) -> Bool
        private(set) var readCount = 0

        init(_ lines: [DetectedLine], isUpsideDown: @escaping @Sendable (DetectedLine) -> Bool = { _ in false }) {
            self.lines = lines.sorted { $0.elongation > $1.elongation }
            self.isUpsideDown = isUpsideDown
        }

        func detect(in frame: UprightFrame, regions: [PixelRect]?, options: ReadingOptions) -> [DetectedLine] {
            self.lines
        }

        func propose(in frame: UprightFrame, options: ReadingOptions) -> [DetectedLine] { [] }

        func read(
            _ lines: [DetectedLine],
            in frame: UprightFrame,
            options: ReadingOptions,
            votes: inout LineVotes
        ) -> [TextLine?] {
            self.readCount += lines.count
            return lines.map { line in
                let box = self.isUpsideDown(line) ? line.quad.turned(2) : line.quad
                let word = TextWord(text: "Platforms", confidence: 1, box: box, characters: [])
                return TextLine(text: "Platforms", confidence: 1, box: box, words: [word])
            }
        }

        func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float { 1 }

        func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) -> Reading {
            Reading(lines: [], detect: .zero, recognize: .zero)
        }

        /// Quarter turns that bring the text upright.
        func turn() throws -> Int? {
            try PixelBuffer(width: 600, height: 600, format: .gray).withPixels { (view) throws(RecognitionError) in
                try self.turn(of: UprightFrame(view, orientation: .up), options: ReadingOptions())
            }
        }
    }

    private static func box(_ width: Float, _ height: Float) -> DetectedLine {
        let centre = Point(x: 300, y: 300)
        return DetectedLine(
            rect: RotatedRect(centre: centre, axis: Point(x: 1, y: 0), width: width, height: height),
            score: 1
        )
    }

    @Test func oneLongLineThatRunsDownDoesNotTurnAPageOfShortOnes() throws {
        let level = (0..<20).map { _ in Self.box(100, 20) }
        #expect(try BoxReader(level + [Self.box(20, 400)]).turn() == 0)
        let down = (0..<20).map { _ in Self.box(20, 100) }
        #expect(try BoxReader(down + [Self.box(400, 20)]).turn() == 3)
    }

    @Test func oneLongLineThatIsUpsideDownDoesNotTurnThePage() throws {
        let level = (0..<6).map { _ in Self.box(100, 20) }
        let reader = BoxReader(level + [Self.box(400, 20)]) { $0.rect.width == 400 }
        #expect(try reader.turn() == 0)
    }

    @Test func threeLinesThatAgreeDecide() throws {
        let reader = BoxReader((0..<20).map { _ in Self.box(100, 20) })
        #expect(try reader.turn() == 0)
        #expect(reader.readCount == 3)
    }
}
