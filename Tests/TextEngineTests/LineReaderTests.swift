import FrameCodecs
import GlyphwireProtocol
import Testing

@testable import TextEngine

@Suite struct LineReaderTests {
    private struct Outcome {
        var line: TextLine?
        var readings: Int
        var votes: DirectionVotes
    }

    private static let wide = RotatedRect(centre: Point(x: 100, y: 100), axis: Point(x: 1, y: 0), width: 90, height: 30)
    private static let tall = RotatedRect(centre: Point(x: 100, y: 100), axis: Point(x: 1, y: 0), width: 30, height: 90)

    /// Reads a box with a network that is as sure of its readings, one after the other, as `confidences` say.
    private static func read(
        _ rect: RotatedRect,
        votes: DirectionVotes = DirectionVotes(),
        _ confidences: Float...
    ) throws -> Outcome {
        var left = confidences
        let model = StubModel { shape, _ in
            let probability = left.isEmpty ? 0 : left.removeFirst()
            var values = (0..<shape.width / 8).flatMap { _ in [1, 0, 0] as [Float] }
            (values[3 * 3], values[3 * 3 + 1]) = (1 - probability, probability)
            return (values, [1, shape.width / 8, 3])
        }
        let reader = LineReader(LineRecognizer(model: model, alphabet: Alphabet(list: "A")))
        var votes = votes
        let line = try PixelBuffer(width: 200, height: 200, format: .gray).withPixels { view in
            try reader.read(
                DetectedLine(rect: rect, score: 0.9),
                in: UprightFrame(view, orientation: .up),
                options: ReadingOptions(),
                votes: &votes
            )
        }
        return Outcome(line: line, readings: model.shapes.count, votes: votes)
    }

    /// In quarters clockwise, which way a line runs.
    private static func direction(of line: TextLine?) -> Int? {
        guard let box = line?.box else { return nil }
        let (x, y) = (box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        return abs(x) > abs(y) ? (x > 0 ? 0 : 2) : (y > 0 ? 1 : 3)
    }

    @Test func aWideBoxThatIsReadForCertainIsReadOnce() throws {
        let outcome = try Self.read(Self.wide, 0.9)
        #expect(outcome.readings == 1)
        #expect(Self.direction(of: outcome.line) == 0)
        #expect(outcome.line?.text == "A")
    }

    @Test func aWideBoxThatIsReadBadlyIsReadUpsideDownToo() throws {
        let outcome = try Self.read(Self.wide, 0.6, 0.9)
        #expect(outcome.readings == 2)
        #expect(Self.direction(of: outcome.line) == 2)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.7, 0.6).line) == 0)
    }

    @Test func aTallBoxIsReadInAllItsDirectionsUntilThePageHasDecided() throws {
        let outcome = try Self.read(Self.tall, 0.85, 0.6, 0.95)
        #expect(outcome.readings == 3)
        #expect(Self.direction(of: outcome.line) == 0)
        #expect(Self.direction(of: try Self.read(Self.tall, 0.85, 0.9, 0.6).line) == 3)

        var votes = DirectionVotes()
        votes.count(12, quarters: 3, shape: .tall)
        let decided = try Self.read(Self.tall, votes: votes, 0.85)
        #expect(decided.readings == 1)
        #expect(Self.direction(of: decided.line) == 3)
    }

    @Test func whatNoDirectionMakesSenseOfIsNoText() throws {
        let outcome = try Self.read(Self.wide, 0.45, 0.4)
        #expect(outcome.line == nil)
        #expect(outcome.readings == 2)
        #expect(try Self.read(Self.tall).line == nil)
    }

    @Test func onlyCertainReadingsVote() throws {
        var votes = DirectionVotes()
        for _ in 0..<8 { votes = try Self.read(Self.wide, votes: votes, 0.7, 0.75).votes }
        #expect(!votes.isDecided(for: .wide) && votes.order(for: .wide) == [0, 2])
        votes = try Self.read(Self.wide, votes: votes, 0.6, 0.9).votes
        #expect(votes.order(for: .wide) == [2, 0])
    }
}
