internal import FramePipeline
internal import Foundation
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import ImageCodecs
internal import TextModel
internal import TextRecognition

/// Speed test: the time of a frame of 1280 x 720 pixels full of words, on one thread.
struct SpeedTest {
    private static let (width, height) = (1280, 720)
    /// Frames whose median time counts, after a first one that has its networks compiled.
    private static let frameCount = 5

    /// The engine that reads.
    let engine: any ReadingEngine

    /// Has `level` read the frame a few times.
    func finding(of level: RecognitionLevel) throws(WireError) -> Finding {
        let limits = WireLimits()
        let (pixels, wordCount) = try Self.page(limits)
        let header = MessageHeader(
            type: .frame,
            format: .gray,
            width: UInt16(Self.width),
            height: UInt16(Self.height),
            payloadByteCount: pixels.count
        )
        let frame = try FrameDescription(header: header, limits: limits)
        let processor = FrameProcessor(reader: self.engine.makeReader(executor: InlineExecutor()), limits: limits)
        let configuration = StreamConfiguration(
            delivery: .every,
            temporal: false,
            reading: ReadingOptions(level: level)
        )
        var times: [Int] = []
        for number in 0...Self.frameCount {
            let result = processor.read(
                frame,
                payload: pixels.span.bytes,
                configuration: configuration,
                sequence: UInt64(number)
            )
            guard case .ok(let text) = result.outcome,
                text.lines.flatMap(\.words).count(where: { $0.text == SelfTestPicture.text }) == wordCount
            else {
                return Finding(.failed, on: "speed", "\(level.rawValue) does not read its test frame right")
            }
            if number > 0 { times.append(result.timings.total) }
        }
        let milliseconds = Double(times.sorted()[times.count / 2]) / 1000
        return Finding(
            .ok,
            on: "speed",
            "\(level.rawValue): \(Int(milliseconds.rounded(.up))) ms for a frame of \(Self.width) x \(Self.height) with "
                + "\(wordCount) words, \(Self.rate(milliseconds)) for each worker"
        )
    }

    /// The rate of frames that take so long, in words.
    private static func rate(_ milliseconds: Double) -> String {
        let rate = Int(1000 / milliseconds)
        return rate > 1
            ? "\(rate) such frames a second" : String(format: "one such frame in %.1f seconds", milliseconds / 1000)
    }

    /// The pixels of the frame, which repeats the picture of the self-test, and how often.
    private static func page(_ limits: WireLimits) throws(WireError) -> (pixels: [UInt8], wordCount: Int) {
        let jpeg = SelfTestPicture.jpeg
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: jpeg.count)
        let frame = try FrameDescription(header: header, limits: limits)
        let word: PixelBuffer
        do throws(CodecError) {
            word = try FrameDecoder(limits: limits.picture).withPixels(of: frame, payload: jpeg.span.bytes) {
                pixels,
                _ in
                PixelBuffer(copying: pixels)
            }
        } catch {
            throw WireError(error)
        }
        let (columns, rows) = (Self.width / word.width, Self.height / word.height)
        var pixels = [UInt8](repeating: 255, count: Self.width * Self.height)
        for row in 0..<rows * word.height {
            let start = row % word.height * word.bytesPerRow
            let source = word.bytes[start..<start + word.width]
            for column in 0..<columns {
                let target = row * Self.width + column * word.width
                pixels.replaceSubrange(target..<target + word.width, with: source)
            }
        }
        return (pixels, columns * rows)
    }
}
