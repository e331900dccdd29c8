internal import FramePipeline
internal import GlyphwireProtocol
internal import ImageCodecs
internal import TextModel

/// Small limits, since a fuzzer tries thousands of pictures a second.
private let limits = WireLimits(picture: PictureLimits(maxPixels: 1 << 14, maxSide: 4096))

/// With any first segment, an otherwise valid JPEG is decoded with a valid orientation.
func checkEXIF(_ bytes: [UInt8]) throws(FuzzFinding) {
    let segment = bytes.prefix(0xFFFF - 2)
    let length = segment.count + 2
    let jpeg =
        smallJPEG.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + segment + smallJPEG.dropFirst(2)
    let decoding = try Decoding(of: MessageHeader(jpeg: jpeg.count), Array(jpeg))
    guard case .success(let decoded) = decoding.result else {
        throw FuzzFinding("a segment spoils the picture: \(decoding.result)")
    }
    let picture = decoded.picture
    try require(picture.pixels.width == 8 && picture.pixels.height == 8, "a segment changes the size")
    try require(bytes.starts(with: "Exif\0".utf8) || picture.orientation == .up, "an orientation out of nowhere")
}

/// Bytes are a picture within the limits or an error, without content of an earlier picture.
///
/// A damaged picture has only blank rows below the damage.
func checkJPEG(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard !bytes.isEmpty else { return }
    let codes: Set<WireError.Code> = [.jpegCorrupt, .jpegUnsupported, .badDimensions, .tooManyPixels]
    let header = MessageHeader(jpeg: bytes.count)
    let whole = try Decoding(of: header, bytes)
    try whole.require(codes: codes)
    let scale: Float = [1, 0.5, 0.25, 0.125][bytes.count % 4]
    let part = try Decoding(of: header, bytes, damaged: .read, minScale: scale)
    try part.require(codes: codes)
    guard case .success(let decoded) = part.result else {
        guard case .failure = whole.result else { throw FuzzFinding("a whole picture has no part") }
        return
    }
    let isDamaged = decoded.warnings.contains { $0.code == .jpegDamaged }
    try require(isDamaged == (decoded.intactRows < decoded.height), "the warnings do not report the damage")
    if case .success(let picture) = whole.result {
        try require(!isDamaged && picture.warnings == decoded.warnings, "an intact picture is reported as damaged")
        try require(scale < 1 || picture == decoded, "the part is not the whole")
    }
    try require(decoded.intactRows > 0, "a picture of blank rows")
    let pixels = decoded.picture.pixels
    // A picture past the limit of pixels is halved.
    let expected = decoded.width * decoded.height > limits.picture.maxPixels ? min(scale, 0.5) : scale
    try require(
        pixels.width == Int((Float(decoded.width) * expected).rounded(.up))
            && pixels.height == Int((Float(decoded.height) * expected).rounded(.up)),
        "\(decoded.width)x\(decoded.height) at \(expected) is \(pixels.width)x\(pixels.height)"
    )
    let intactRows = Int(Float(decoded.intactRows) * expected)
    let blankRows = pixels.bytes.dropFirst(intactRows * pixels.bytesPerRow)
    let pixel = blankRows.prefix(pixels.format.bytesPerPixel)
    try require(
        !isDamaged || blankRows.dropFirst(pixel.count).elementsEqual(blankRows.dropLast(pixel.count)),
        "rows below the damage are not blank"
    )
}

/// Bytes are a picture file or an error, within the limits.
func checkFile(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let file = try? PictureFile(bytes: bytes, path: "file"), file.format != .jpeg else { return }
    try require(file.pageCount >= 1, "\(file.pageCount) pages")
    guard let picture = try? file.picture(limits: limits.picture) else { return }
    let pixels = picture.pixels
    try require(
        pixels.width * pixels.height <= limits.picture.maxPixels
            && max(pixels.width, pixels.height) <= limits.picture.maxSide,
        "\(pixels.width)x\(pixels.height) is past the limits"
    )
    let again = try? file.picture(limits: limits.picture)
    try require(again == picture, "the picture depends on what memory held")
}

/// Bytes are the rows that the header announces or an error, without content of an earlier picture.
func checkLZ4(_ bytes: [UInt8]) throws(FuzzFinding) {
    var input = FuzzBytes(bytes)
    let formats: [FrameFormat] = [.bgraLZ4Block, .bgraLZ4Frame, .grayLZ4Block]
    let format = formats[Int(input.byte()) % formats.count]
    let (width, height) = (1 + UInt16(input.byte()), 1 + UInt16(input.byte()))
    let padding = UInt32(input.byte())
    let payload = input.remaining()
    let packed = UInt32(width) * UInt32(format.bytesPerPixel ?? 1)
    let header = MessageHeader(
        type: .frame,
        format: format,
        width: width,
        height: height,
        bytesPerRow: padding == 0 ? 0 : packed + padding,
        payloadByteCount: payload.count
    )
    let decoding = try Decoding(of: header, payload)
    try decoding.require(codes: [.lz4Corrupt, .sizeMismatch, .badDimensions, .tooManyPixels, .emptyPayload])
}

extension MessageHeader {
    fileprivate init(jpeg byteCount: Int) {
        self.init(type: .frame, format: .jpeg, payloadByteCount: byteCount)
    }
}

/// Outcome of a payload.
private struct Decoding {
    /// Decoded picture.
    struct Decoded: Equatable {
        var picture: Picture
        var width: Int
        var height: Int
        var intactRows: Int
        var warnings: [FrameWarning]
    }

    /// Settings of the decoder.
    private struct Settings {
        var damaged = DamagedFrames.refuse
        var minScale: Float = 1
    }

    let result: Result<Decoded, WireError>

    /// Decodes a payload twice, into memory with different content.
    init(
        of header: MessageHeader,
        _ payload: [UInt8],
        damaged: DamagedFrames = .refuse,
        minScale: Float = 1
    ) throws(FuzzFinding) {
        let decoder = FrameDecoder(limits: limits.picture)
        let settings = Settings(damaged: damaged, minScale: minScale)
        let first = Self.decode((header, payload), decoder, settings, over: 0)
        let second = Self.decode((header, payload), decoder, settings, over: 1)
        try FuzzTargets.require(first == second, "the picture depends on what was decoded before it")
        // Sides that are halved are rounded up.
        let maxPixels = limits.picture.maxPixels + limits.picture.maxSide / 2
        try FuzzTargets.require(
            decoder.bufferByteCount <= 4 * maxPixels,
            "\(decoder.bufferByteCount) bytes are held"
        )
        let next = Result { () throws(WireError) -> Decoded in try Self.decode(Self.whole, decoder, Settings()) }
        guard case .success = next else { throw FuzzFinding("a good frame after this one is \(next)") }
        self.result = first
    }

    /// Checks that an error has one of `codes`.
    func require(codes: Set<WireError.Code>) throws(FuzzFinding) {
        guard case .failure(let error) = self.result else { return }
        try FuzzTargets.require(codes.contains(error.code), "\(error.code.rawValue) is none of this format's")
    }

    private static func decode(
        _ frame: (header: MessageHeader, payload: [UInt8]),
        _ decoder: FrameDecoder,
        _ settings: Settings,
        over stain: Int
    ) -> Result<Decoded, WireError> {
        Result { () throws(WireError) -> Decoded in
            _ = try? Self.decode(Self.stain[stain], decoder, Settings())
            return try Self.decode(frame, decoder, settings)
        }
    }

    private static func decode(
        _ frame: (header: MessageHeader, payload: [UInt8]),
        _ decoder: FrameDecoder,
        _ settings: Settings
    ) throws(WireError) -> Decoded {
        let description = try FrameDescription(header: frame.header, limits: limits)
        do throws(CodecError) {
            return try decoder.withFrame(
                description,
                payload: frame.payload.span.bytes,
                damaged: settings.damaged,
                minScale: { _, _ in settings.minScale }
            ) { frame in
                Decoded(
                    picture: Picture(pixels: PixelBuffer(copying: frame.pixels), orientation: frame.orientation),
                    width: frame.width,
                    height: frame.height,
                    intactRows: frame.intactRows,
                    warnings: frame.warnings
                )
            }
        } catch {
            throw WireError(error)
        }
    }

    /// An uncompressed pixel in the LZ4 frame format, without its size.
    private static let whole: (header: MessageHeader, payload: [UInt8]) = {
        let payload: [UInt8] =
            [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82] + [4, 0, 0, 0x80] + [1, 2, 3, 4] + [0, 0, 0, 0]
        return (
            MessageHeader(
                type: .frame,
                format: .bgraLZ4Frame,
                width: 1,
                height: 1,
                payloadByteCount: payload.count
            ), payload
        )
    }()

    /// The largest possible pictures, all black and all white, as LZ4.
    private static let stain = [UInt8(0x00), 0xFF].map { byte -> (header: MessageHeader, payload: [UInt8]) in
        var pixels = PixelBuffer(width: 128, height: 128, format: .bgra)
        pixels.withMutableBytes { bytes in for index in bytes.indices { bytes[index] = byte } }
        let payload = (try? LZ4Encoder.block(of: pixels)) ?? []
        return (
            MessageHeader(
                type: .frame,
                format: .bgraLZ4Block,
                width: 128,
                height: 128,
                payloadByteCount: payload.count
            ), payload
        )
    }
}

/// Eight by eight gray pixels.
private let smallJPEG: [UInt8] = {
    let pixels = PixelBuffer(width: 8, height: 8, format: .gray)
    return (try? pixels.withPixels { view in try JPEGEncoder().encode(view) }) ?? []
}()
