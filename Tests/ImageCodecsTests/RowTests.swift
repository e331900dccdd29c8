import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@Suite("Rows of pixels")
struct RowTests {
    /// 7 x 5 pixels of distinct bytes, in rows of 40 bytes for BGRA and 16 for gray.
    static func rows(_ format: PixelFormat) -> (frame: Frame, bytes: [UInt8]) {
        let (width, height, bytesPerRow) = (7, 5, format == .bgra ? 40 : 16)
        let frame = Frame(
            format: format == .bgra ? .bgra : .gray,
            width: width,
            height: height,
            bytesPerRow: bytesPerRow
        )
        return (frame, (0..<bytesPerRow * height).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) })
    }

    @Test("as they are are handed out where they lie, with their padding", arguments: [PixelFormat.bgra, .gray])
    func rawRowsAreNotCopied(format: PixelFormat) throws {
        let (frame, payload) = Self.rows(format)
        let decoder = FrameDecoder(limits: PictureLimits())
        let description = try frame.description(payloadByteCount: payload.count)
        try payload.withUnsafeBytes { bytes in
            try decoder.withPixels(of: description, payload: bytes.bytes) { view, orientation in
                #expect(view.base == bytes.baseAddress)
                #expect((view.width, view.height, view.bytesPerRow) == (7, 5, frame.bytesPerRow))
                #expect(view.format == format)
                #expect(orientation == .up)
            }
        }
        #expect(decoder.bufferByteCount == 0)
    }

    @Test("arrive the same in every format", arguments: [PixelFormat.bgra, .gray])
    func allFormatsAgree(format: PixelFormat) throws {
        var (frame, payload) = Self.rows(format)
        let decoder = FrameDecoder(limits: PictureLimits())
        let expected = try decoder.picture(frame, payload)
        frame.format = format == .bgra ? .bgraLZ4Block : .grayLZ4Block
        #expect(try decoder.picture(frame, LZ4Encoder.block(payload)) == expected)
        if format == .bgra {
            frame.format = .bgraLZ4Frame
            #expect(try decoder.picture(frame, LZ4Encoder.frame(payload)) == expected)
            #expect(
                try decoder.picture(frame, LZ4Encoder.frame(payload, contentSize: true, checksums: true)) == expected
            )
        }
    }

    @Test("take the orientation of the frame, else up")
    func orientationIsTheFrames() throws {
        var (frame, payload) = Self.rows(.bgra)
        let decoder = FrameDecoder(limits: PictureLimits())
        for orientation in Orientation.allCases {
            frame.orientation = orientation.rawValue
            #expect(try decoder.picture(frame, payload).orientation == orientation)
        }
    }

    @Test("may come without the last row's padding", arguments: [PixelFormat.bgra, .gray])
    func lastRowsPaddingIsOptional(format: PixelFormat) throws {
        var (frame, payload) = Self.rows(format)
        let decoder = FrameDecoder(limits: PictureLimits())
        let expected = try decoder.picture(frame, payload)
        payload.removeLast(frame.bytesPerRow - frame.width * format.bytesPerPixel)
        #expect(try decoder.picture(frame, payload) == expected)
        frame.format = format == .bgra ? .bgraLZ4Block : .grayLZ4Block
        #expect(try decoder.picture(frame, LZ4Encoder.block(payload)) == expected)
        if format == .bgra {
            frame.format = .bgraLZ4Frame
            #expect(try decoder.picture(frame, LZ4Encoder.frame(payload, contentSize: true)) == expected)
        }
    }

    @Test("of a payload that is not as long as its header said are refused", arguments: [-13, -1, 1, 40])
    func rawSizeMustMatch(surplus: Int) throws {
        let (frame, payload) = Self.rows(.bgra)
        let description = try frame.description(payloadByteCount: payload.count)
        let wrong = surplus < 0 ? payload.dropLast(-surplus) : payload + [UInt8](repeating: 0, count: surplus)
        #expect(throws: CodecError(.sizeMismatch, "")) {
            try FrameDecoder(limits: PictureLimits()).withPixels(of: description, payload: [UInt8](wrong).span.bytes) {
                _,
                _ in
            }
        }
    }

    @Test("of an empty payload are refused", arguments: FrameFormat.allCases)
    func emptyPayloadIsRefused(format: FrameFormat) throws {
        let frame = Frame(format: format, width: 7, height: 5)
        let byteCount = 7 * 5 * (format.bytesPerPixel ?? 1)
        let description = try frame.description(payloadByteCount: byteCount)
        #expect(throws: CodecError.self) {
            try FrameDecoder(limits: PictureLimits()).withPixels(of: description, payload: RawSpan()) { _, _ in }
        }
    }
}
