import ImageCodecs
import GlyphwireProtocol
import TextModel
import TestSupport
import TextRecognition
import Testing

@testable import FramePipeline

/// Frames that are decoded or scanned at a reduced scale, read by a worker.
@Suite struct LargeFrameTests {
    /// A reader that finds one line around its whole input, with the input's size as its text.
    private final class SizeReader: TextReader {
        let scale: DetectionScale

        init(_ scale: DetectionScale) { self.scale = scale }

        func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
            -> Reading
        {
            let (right, bottom) = (Float(pixels.width), Float(pixels.height))
            let box = Quad(
                topLeft: Point(x: 0, y: 0),
                topRight: Point(x: right, y: 0),
                bottomRight: Point(x: right, y: bottom),
                bottomLeft: Point(x: 0, y: bottom)
            )
            var line = Reading.text("\(pixels.width)x\(pixels.height)").lines[0]
            line.box = box
            line.words[0].box = box
            line.words[0].characters = [TextCharacter(text: "x", confidence: 1, box: box)]
            return Reading(lines: [line], detect: .zero, recognize: .zero)
        }

        func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale { self.scale }
    }

    /// Reads a JPEG of 64 x 64 pixels.
    private static func read(maxPixels: Int, _ scale: DetectionScale = .full) throws -> FrameResult.Outcome {
        let limits = WireLimits(picture: PictureLimits(maxPixels: maxPixels))
        let jpeg = DamagedFrameTests.jpeg
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: jpeg.count)
        return FrameProcessor(reader: SizeReader(scale), limits: limits).read(
            try FrameDescription(header: header, limits: limits),
            payload: jpeg.span.bytes,
            configuration: StreamConfiguration(),
            sequence: 1
        ).outcome
    }

    private static func text(maxPixels: Int, _ scale: DetectionScale = .full) throws -> FrameText {
        guard case .ok(let text) = try Self.read(maxPixels: maxPixels, scale) else {
            Issue.record("not read")
            return FrameText(width: 0, height: 0, orientation: .up, level: .fast, lines: [])
        }
        return text
    }

    @Test func aJPEGBeyondTheLimitOfPixelsIsDecodedAtHalfItsSides() throws {
        let text = try Self.text(maxPixels: 2000)
        #expect(text.lines.map(\.text) == ["32x32"])
        #expect((text.width, text.height) == (64, 64))
        #expect(text.lines[0].box.bottomRight == Point(x: 64, y: 64))
        #expect(text.lines[0].words[0].box.bottomRight == Point(x: 64, y: 64))
        #expect(text.lines[0].words[0].characters[0].box.bottomRight == Point(x: 64, y: 64))
    }

    @Test func aJPEGWithinTheLimitIsDecodedAsItIs() throws {
        #expect(try Self.text(maxPixels: 4096).lines.map(\.text) == ["64x64"])
    }

    @Test func aJPEGOfMoreThanFourTimesTheLimitIsRefused() throws {
        guard case .error(let error) = try Self.read(maxPixels: 1023) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .tooManyPixels)
    }

    @Test func timeInWhichAPictureWasDecodedBeforeItWasQueuedCountsAsDecoding() throws {
        let (pixels, limits) = ([UInt8](repeating: 255, count: 64 * 64), WireLimits())
        let header = MessageHeader(type: .frame, format: .gray, width: 64, height: 64, payloadByteCount: pixels.count)
        let times = FrameProcessor(reader: SizeReader(.full), limits: limits).read(
            try FrameDescription(header: header, limits: limits),
            payload: pixels.span.bytes,
            configuration: StreamConfiguration(),
            sequence: 1,
            received: .now - .seconds(5),
            decoding: .seconds(3)
        ).timings
        #expect(times.queue >= 2_000_000 && times.decode >= 3_000_000)
        #expect(times.total >= times.queue + times.decode)
    }

    @Test(
        arguments: [(0.5, "64x64"), (0.2, "64x64"), (0.16, "32x32"), (0.05, "16x16"), (0.01, "8x8")]
            as [(Float, String)]
    )
    func aPictureThatIsScannedReducedIsDecodedNoLargerThanItsLinesNeed(scale: Float, size: String) throws {
        let text = try Self.text(maxPixels: 1 << 20, DetectionScale(scale: scale, reduction: 1))
        #expect(text.lines.map(\.text) == [size])
        #expect(text.lines[0].box.bottomRight == Point(x: 64, y: 64))
        #expect(text.warnings.isEmpty)
    }

    @Test func boxesOfPixelsThatAreMadeSquareAreInThoseThatWereSent() throws {
        let pixels = [UInt8](repeating: 255, count: 64 * 48)
        let header = MessageHeader(type: .frame, format: .gray, width: 64, height: 48, payloadByteCount: pixels.count)
        var frame = try FrameDescription(header: header, limits: WireLimits())
        frame.pixelAspectRatio = 0.5
        let outcome = FrameProcessor(reader: SizeReader(.full), limits: WireLimits()).read(
            frame,
            payload: pixels.span.bytes,
            configuration: StreamConfiguration(),
            sequence: 1
        ).outcome
        guard case .ok(let text) = outcome else {
            Issue.record("not read: \(outcome)")
            return
        }
        #expect(text.lines.map(\.text) == ["64x96"])
        #expect((text.width, text.height) == (64, 48))
        #expect(text.lines[0].box.bottomRight == Point(x: 64, y: 48))
    }

    @Test func aReducedScanIsReported() throws {
        let text = try Self.text(maxPixels: 1 << 20, DetectionScale(scale: 0.4, reduction: 0.4961))
        #expect(text.warnings == [FrameWarning(.reducedDetection, scale: 0.496)])
    }
}
