import GlyphwireProtocol
import ImageCodecs
import TestSupport
import TextModel
import TextRecognition
import TextTracking
import Testing

@testable import FramePipeline

/// Words of which a stream's results report that they are lost.
@Suite struct LostWordsTests {
    /// Reader that detects a line of one word at each of some places whose top-left corner is dark.
    private final class PlaceReader: RegionReader {
        let places: [Quad]

        init(_ places: [Quad]) { self.places = places }

        private func lines(in frame: UprightFrame) -> [DetectedLine] {
            self.places.filter { place in
                let offset = Int(place.topLeft.y) * frame.view.bytesPerRow + Int(place.topLeft.x)
                return frame.view.base.load(fromByteOffset: offset, as: UInt8.self) < 100
            }.map { place in
                let (width, height) = (place.bottomRight.x - place.topLeft.x, place.bottomRight.y - place.topLeft.y)
                let rect = RotatedRect(centre: place.centre, axis: Point(x: 1, y: 0), width: width, height: height)
                return DetectedLine(rect: rect, score: 0.9)
            }
        }

        func detect(in frame: UprightFrame, regions: [PixelRect]?, options: ReadingOptions) throws(RecognitionError)
            -> [DetectedLine]
        {
            self.lines(in: frame).filter { line in
                regions?.contains { ($0.y..<$0.y + $0.height).contains(Int(line.rect.quad.centre.y)) } ?? true
            }
        }

        func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] {
            self.lines(in: frame)
        }

        func read(
            _ lines: [DetectedLine],
            in frame: UprightFrame,
            options: ReadingOptions,
            votes: inout LineVotes
        ) throws(RecognitionError) -> [TextLine?] {
            lines.map { line in
                let box = frame.sent(line.rect.quad)
                let word = TextWord(text: "PLATFORM", confidence: 1, box: box, characters: [])
                let scores = TextLine.Scores(detection: 0.9, recognition: 1)
                return TextLine(text: word.text, confidence: 1, box: box, words: [word], scores: scores)
            }
        }

        func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float { 0.1 }

        func read(_ pixels: PixelView, orientation: Orientation, options: ReadingOptions) throws(RecognitionError)
            -> Reading
        {
            throw RecognitionError(.inferenceFailed, "a stream reads line by line")
        }
    }

    /// Side of a square picture.
    private static let side = 192

    /// Place of a line between some rows.
    private static func place(_ rows: Range<Int>) -> Quad {
        Quad(x: 32, y: Float(rows.lowerBound), width: 120, height: Float(rows.count))
    }

    /// Light picture with dark bars in some rows.
    private static func picture(_ bars: [Range<Int>]) -> [UInt8] {
        var pixels = [UInt8](repeating: 200, count: Self.side * Self.side)
        for y in bars.joined() {
            for x in 32..<152 where x % 8 < 4 { pixels[y * Self.side + x] = 30 }
        }
        return pixels
    }

    /// Results of a stream's frames, 40 ms apart.
    private func results(
        of payloads: [[UInt8]],
        _ format: FrameFormat,
        places: [Quad],
        maxWords: Int = 100
    ) throws -> [FrameText] {
        let limits = WireLimits(maxWords: maxWords)
        let processor = FrameProcessor(reader: PlaceReader(places), limits: limits)
        let stream = StreamTracker()
        var texts: [FrameText] = []
        for (index, payload) in payloads.enumerated() {
            let side = format == .gray ? UInt16(Self.side) : 0
            let header = MessageHeader(
                type: .frame,
                format: format,
                width: side,
                height: side,
                payloadByteCount: payload.count
            )
            let result = processor.read(
                try FrameDescription(header: header, limits: limits),
                payload: payload.span.bytes,
                configuration: StreamConfiguration(temporal: true, damaged: .read),
                state: FrameProcessor.StreamState(stream: stream, time: .milliseconds(40 * index)),
                sequence: UInt64(index)
            )
            guard case .ok(let text) = result.outcome else {
                Issue.record("not read: \(result.outcome)")
                throw CancellationError()
            }
            texts.append(text)
        }
        return texts
    }

    private static func ids(_ text: FrameText) -> [UInt64] { text.lines.flatMap(\.words).compactMap(\.id) }

    @Test func aWordThatTheLimitOmitsIsLostOnce() throws {
        let rows = [20..<40, 90..<110, 150..<170]
        let (before, after) = (Self.picture([rows[1], rows[2]]), Self.picture(rows))
        let places = rows.map(Self.place)
        let texts = try self.results(of: [before, after, after], .gray, places: places, maxWords: 2)
        #expect(texts.map(\.truncated) == [false, true, true])
        #expect(texts.map { Self.ids($0).count } == [2, 2, 2])
        #expect(texts.map(\.lost) == [[], Set(Self.ids(texts[0])).subtracting(Self.ids(texts[1])).sorted(), []])
        #expect(texts[1].lost.count == 1)
    }

    @Test func aWordThatDamageCutsIsLostOnce() throws {
        let bars = Self.picture([0..<Self.side])
        let jpeg = try bars.withUnsafeBufferPointer { pixels throws -> [UInt8] in
            let base = try #require(pixels.baseAddress)
            let (side, format) = (Self.side, PixelFormat.gray)
            return try JPEGEncoder().encode(
                PixelView(base: base, width: side, height: side, bytesPerRow: side, format: format)
            )
        }
        let damaged = [UInt8](jpeg[..<(jpeg.count * 6 / 10)])
        let rows = [8..<40, 60..<150]
        let texts = try self.results(of: [jpeg, damaged, damaged], .jpeg, places: rows.map(Self.place))
        let damagedRow = try #require(texts[1].warnings.compactMap(\.row).first)
        try #require(rows[1].contains(damagedRow))
        #expect(texts.map(\.lost.count) == [0, 1, 0])
        #expect(texts.map { $0.lines.count } == [2, 1, 1])
    }
}
