import GlyphwireProtocol
import TextModel
import Testing

@Suite struct FrameDescriptionTests {
    private static func describe(
        _ format: FrameFormat,
        _ width: UInt16,
        _ height: UInt16,
        bytesPerRow: UInt32 = 0,
        payload: Int,
        limits: WireLimits = WireLimits()
    ) throws(WireError) -> FrameDescription {
        let header = MessageHeader(
            type: .frame,
            format: format,
            width: width,
            height: height,
            bytesPerRow: bytesPerRow,
            payloadByteCount: payload
        )
        return try FrameDescription(header: header, limits: limits)
    }

    private static func code(
        _ format: FrameFormat,
        _ width: UInt16,
        _ height: UInt16,
        bytesPerRow: UInt32 = 0,
        payload: Int,
        limits: WireLimits = WireLimits()
    ) -> WireError.Code? {
        wireError { () throws(WireError) in
            try Self.describe(
                format,
                width,
                height,
                bytesPerRow: bytesPerRow,
                payload: payload,
                limits: limits
            )
        }?.code
    }

    @Test func rowsWithoutPaddingNeedNoBytesPerRow() throws {
        let frame = try Self.describe(.bgra, 10, 4, payload: 160)
        #expect(frame.bytesPerRow == 40)
        #expect(frame.minimumPixelByteCount == 160)
        #expect(frame.maximumPixelByteCount == 160)
        #expect(try Self.describe(.gray, 10, 4, payload: 40).bytesPerRow == 10)
    }

    @Test func theLastRowMayComeWithOrWithoutItsPadding() throws {
        for payload in [3 * 48 + 40, 4 * 48] {
            let frame = try Self.describe(.bgra, 10, 4, bytesPerRow: 48, payload: payload)
            #expect(frame.accepts(pixelByteCount: payload))
        }
        for payload in [1, 160, 3 * 48 + 39, 3 * 48 + 41, 4 * 48 - 1, 4 * 48 + 1] {
            #expect(Self.code(.bgra, 10, 4, bytesPerRow: 48, payload: payload) == .sizeMismatch)
        }
    }

    @Test func aRawPayloadIsExactlyItsRows() {
        #expect(Self.code(.gray, 8, 4, payload: 31) == .sizeMismatch)
        #expect(Self.code(.gray, 8, 4, payload: 33) == .sizeMismatch)
        #expect(Self.code(.gray, 8, 4, payload: 32) == nil)
    }

    @Test(arguments: FrameFormat.allCases)
    func aFrameNeedsAPayload(format: FrameFormat) {
        #expect(Self.code(format, 8, 8, payload: 0) == .emptyPayload)
    }

    @Test(arguments: FrameFormat.allCases.filter { $0 != .jpeg })
    func aSideOfZeroIsNoPicture(format: FrameFormat) {
        #expect(Self.code(format, 0, 8, payload: 1) == .badDimensions)
        #expect(Self.code(format, 8, 0, payload: 1) == .badDimensions)
    }

    @Test func rowsHoldTheirPixels() {
        #expect(Self.code(.bgra, 10, 4, bytesPerRow: 39, payload: 160) == .badDimensions)
        #expect(Self.code(.gray, 10, 4, bytesPerRow: 1, payload: 40) == .badDimensions)
    }

    @Test func sidesAndPixelsHaveLimits() {
        let limits = WireLimits(picture: PictureLimits(maxPixels: 1000, maxSide: 100))
        #expect(Self.code(.gray, 101, 1, payload: 101, limits: limits) == .badDimensions)
        #expect(Self.code(.gray, 1, 101, payload: 101, limits: limits) == .badDimensions)
        #expect(Self.code(.gray, 100, 10, payload: 1000, limits: limits) == nil)
        #expect(Self.code(.gray, 100, 11, payload: 1100, limits: limits) == .tooManyPixels)
        #expect(Self.code(.jpeg, 100, 40, payload: 1100, limits: limits) == nil)
        #expect(Self.code(.jpeg, 100, 41, payload: 1100, limits: limits) == .tooManyPixels)
    }

    @Test func noSizeThatFitsTheFieldsOverflows() {
        let open = WireLimits(picture: PictureLimits(maxPixels: .max / 4, maxSide: .max))
        for format in FrameFormat.allCases {
            _ = Self.code(format, .max, .max, bytesPerRow: .max, payload: 1)
            _ = Self.code(format, .max, .max, bytesPerRow: .max, payload: .max - 28, limits: open)
            _ = Self.code(format, 1, .max, bytesPerRow: .max, payload: 1, limits: open)
        }
    }

    @Test func paddingIsBoundedLikePixels() {
        // One column of 16,384 pixels whose rows claim 4 GiB each.
        #expect(Self.code(.grayLZ4Block, 1, 65535, bytesPerRow: .max, payload: 1 << 20) == .badDimensions)
    }

    @Test func lz4ThatCannotHoldThePictureIsRefusedBeforeItIsUnpacked() {
        #expect(Self.code(.bgraLZ4Block, 7680, 4320, payload: 100_000) == .lz4Corrupt)
        #expect(Self.code(.bgraLZ4Frame, 7680, 4320, payload: 600_000) == nil)
        #expect(Self.code(.grayLZ4Block, 255, 10, payload: 10) == nil)
    }

    @Test func aJPEGBringsItsOwnSize() throws {
        let frame = try Self.describe(.jpeg, 0, 0, payload: 100)
        #expect((frame.width, frame.height, frame.bytesPerRow, frame.minimumPixelByteCount) == (0, 0, 0, 0))
        #expect(Self.code(.jpeg, 640, 480, payload: 100) == nil)
        #expect(Self.code(.jpeg, 640, 0, payload: 100) == .badDimensions)
        #expect(Self.code(.jpeg, 0, 480, payload: 100) == .badDimensions)
        #expect(Self.code(.jpeg, 0, 0, bytesPerRow: 1, payload: 100) == .badDimensions)
    }

    @Test func onlyTheFormatsOfTheTableAreValid() {
        for raw in UInt8.min...UInt8.max {
            var header = MessageHeader(type: .frame, width: 1, height: 1, payloadByteCount: 4)
            header.format = raw
            let error = wireError { () throws(WireError) in try FrameDescription(header: header, limits: WireLimits()) }
            #expect((error?.code == .unknownFormat) == !(1...6 ~= raw))
        }
    }

    @Test func onlyTheOrientationsOfEXIFAreValid() throws {
        for raw in UInt8.min...UInt8.max {
            let header = MessageHeader(type: .frame, format: .jpeg, orientation: raw, payloadByteCount: 4)
            let error = wireError { () throws(WireError) in try FrameDescription(header: header, limits: WireLimits()) }
            #expect(error?.code == (raw <= 8 ? nil : .badOrientation))
        }
        let header = MessageHeader(type: .frame, format: .jpeg, orientation: 0, payloadByteCount: 4)
        #expect(try FrameDescription(header: header, limits: WireLimits()).orientation == nil)
    }
}
