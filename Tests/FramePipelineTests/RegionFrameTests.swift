import GlyphwireProtocol
import ImageCodecs
import NIOConcurrencyHelpers
import TestSupport
import TextModel
import TextRecognition
import TextSearch
import Testing

@testable import FramePipeline

/// Frames with named regions, each read by itself.
@Suite struct RegionFrameTests {
    private static func region(_ name: String, _ area: Region) -> StreamRegion {
        StreamRegion(name: name, outline: .rectangle(area))
    }

    /// Reads a frame of 100 x 50 with a reader whose text is the size of what it gets.
    private func read(
        _ configuration: StreamConfiguration,
        options: NIOLockedValueBox<[ReadingOptions]>? = nil
    ) throws -> FrameText {
        let reader = StubReader { pixels, _, given in
            options?.withLockedValue { $0.append(given) }
            return Reading.text("\(pixels.width)x\(pixels.height)")
        }
        let pixels = [UInt8](repeating: 0, count: 100 * 50)
        let header = MessageHeader(type: .frame, format: .gray, width: 100, height: 50, payloadByteCount: pixels.count)
        let result = FrameProcessor(reader: reader, limits: WireLimits()).read(
            try FrameDescription(header: header, limits: WireLimits()),
            payload: pixels.span.bytes,
            configuration: configuration,
            sequence: 1
        )
        guard case .ok(let text) = result.outcome else {
            Issue.record("not read: \(result.outcome)")
            throw CancellationError()
        }
        return text
    }

    @Test func eachRegionIsReadWithItsOptions() throws {
        var meter = Self.region("meter", Region(x: 0.5, y: 0.5, width: 0.2, height: 0.5))
        meter.allowedCharacters = AllowedCharacters("0-9")
        meter.minimumTextHeight = 0.25
        let sign = Self.region("sign", Region(x: 0, y: 0, width: 1, height: 0.2))
        var configuration = StreamConfiguration(regions: [meter, sign])
        configuration.reading.minimumTextHeight = 0.1
        let options = NIOLockedValueBox<[ReadingOptions]>([])
        let text = try self.read(configuration, options: options)
        #expect(text.lines.map(\.region) == ["meter", "sign"])
        #expect(text.lines.map(\.text) == ["20x25", "100x10"])
        #expect(text.lines[0].box == Quad(x: 50, y: 25, width: 1, height: 1))
        let given = options.withLockedValue(\.self)
        #expect(given.map(\.allowedCharacters?.source) == ["0-9", nil])
        // A quarter of 50 rows is half of 25 rows, and a tenth of them half of 10 rows.
        #expect(given.map(\.minimumTextHeight) == [0.5, 0.5])
    }

    @Test func eachRegionIsSearchedForItsPatterns() throws {
        var left = Self.region("left", Region(x: 0, y: 0, width: 0.5, height: 1))
        left.find = [try TextPattern("nothing"), try TextPattern("/x5/")]
        let right = Self.region("right", Region(x: 0.5, y: 0, width: 0.5, height: 1))
        let own = try self.read(StreamConfiguration(regions: [left, right]))
        #expect(own.found?.matches.map(\.region) == ["left"])
        #expect(own.found?.matches.map(\.pattern) == [1])
        let shared = try self.read(StreamConfiguration(find: [try TextPattern("/0x/")], regions: [left, right]))
        #expect(shared.found?.matches.map(\.region) == ["left", "right"])
        #expect(shared.found?.matches.map(\.text) == ["x5", "0x"])
        #expect(shared.found?.matches.map(\.line) == [0, 1])
    }
}
