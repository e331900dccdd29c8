import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition

@testable import TextTracking

/// Simulated camera: a stream, the scene before it, and the time that passes.
final class Camera {
    let stream = StreamTracker()
    let reader = SceneReader()
    var orientation = Orientation.up
    var options = ReadingOptions()
    private var time = Duration.zero

    /// Reads the next frame, 40 ms after the last.
    @discardableResult
    func see(_ scene: Scene, after wait: Duration = .milliseconds(40)) throws -> ReportedReading {
        self.reader.scene = scene
        self.time += wait
        let reading = try scene.picture().withPixels { (pixels) throws(RecognitionError) in
            try self.stream.read(
                pixels,
                orientation: self.orientation,
                options: self.options,
                refresh: .seconds(2),
                at: self.time,
                with: self.reader
            )
        }
        return ReportedReading(reading, of: self.stream)
    }

    /// Reads frames until every line has converged, then resets the counts.
    func settle(_ scene: Scene) throws {
        for _ in 0..<20 where try !self.see(scene).isReused {}
        self.reader.resetCounts()
    }
}

/// Reading of a frame of which all lines are reported.
@dynamicMemberLookup struct ReportedReading {
    private let reading: StreamReading
    /// Ids of words that the frame before had and this one has not.
    let lost: [UInt64]

    /// Reports what a tracker has just read.
    init(_ reading: StreamReading, of tracker: StreamTracker) {
        self.reading = reading
        self.lost = tracker.lostIDs(reporting: reading.lines)
    }

    subscript<Value>(dynamicMember member: KeyPath<StreamReading, Value>) -> Value { self.reading[keyPath: member] }

    /// Texts of the lines.
    var texts: [String] { self.lines.map(\.text) }

    /// Id of the word with this text.
    func id(_ text: String) -> UInt64? { self.lines.flatMap(\.words).first { $0.text == text }?.id }
}

/// Sine of a small angle by its series, which needs no C library in a test.
func sine(_ x: Float) -> Float { x - x * x * x / 6 }

/// Cosine of a small angle by its series, which needs no C library in a test.
func cosine(_ x: Float) -> Float { 1 - x * x / 2 + x * x * x * x / 24 }
