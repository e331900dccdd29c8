package import ImageCodecs
internal import GlyphwireProtocol
package import TextModel
package import TextRecognition

/// Stub reader with the test's own results.
package final class StubReader: TextReader {
    package typealias Body = @Sendable (PixelView, Orientation, ReadingOptions) throws(RecognitionError) -> Reading

    private let body: Body
    private let passesSelfTest: Bool

    /// A stub; one that passes the self-test reads its frame right by itself, and has `body` read all others.
    package init(passesSelfTest: Bool = true, _ body: @escaping Body) {
        self.passesSelfTest = passesSelfTest
        self.body = body
    }

    package func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
        -> Reading
    {
        if self.passesSelfTest, pixels.width == 320, pixels.height == 96 { return .text("READY") }
        return try self.body(pixels, orientation, options)
    }

    /// Finds one line with the value of the first pixel's first byte as its text.
    package static let firstByte: Body = { pixels, _, _ in .text(String(pixels.firstByte)) }
}

/// Engine of stub readers.
package struct StubEngine: ReadingEngine {
    package var levels = RecognitionLevel.allCases
    /// Languages that each level claims to support.
    package var languages: [RecognitionLevel: [String]] = [:]
    /// Whether readers read the self-test frame right by themselves.
    package var passesSelfTest = true
    private let body: StubReader.Body

    package init(
        levels: [RecognitionLevel] = RecognitionLevel.allCases,
        _ body: @escaping StubReader.Body = StubReader.firstByte
    ) {
        self.levels = levels
        self.body = body
    }

    /// Engine whose readers read no frame, that of the self-test included, before a gate is open.
    ///
    /// - Returns: The gate, the engine, and an element for each frame that its readers have begun.
    package static func hanging() -> (gate: Gate, engine: StubEngine, begun: AsyncStream<Void>) {
        let (gate, (begun, continuation)) = (Gate(), AsyncStream<Void>.makeStream())
        var engine = StubEngine { _, _, _ in
            continuation.yield()
            gate.wait()
            return .text("late")
        }
        engine.passesSelfTest = false
        return (gate, engine, begun)
    }

    package func languages(of level: RecognitionLevel) -> [String] { self.languages[level] ?? ["en"] }

    package func canRead(_ character: Character, at level: RecognitionLevel) -> Bool { true }

    package func makeReader(executor: any ParallelExecutor) -> any TextReader {
        StubReader(passesSelfTest: self.passesSelfTest, self.body)
    }
}

extension PixelView {
    package var firstByte: UInt8 { unsafe self.base.load(as: UInt8.self) }
}

extension Reading {
    /// A line of one word, `text`.
    package static func text(_ text: String) -> Reading {
        let box = Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: 1, y: 0),
            bottomRight: Point(x: 1, y: 1),
            bottomLeft: Point(x: 0, y: 1)
        )
        let word = TextWord(text: text, confidence: 1, box: box, characters: [])
        let line = TextLine(text: text, confidence: 1, box: box, words: [word])
        return Reading(lines: [line], detect: .microseconds(1), recognize: .microseconds(2))
    }
}
