internal import CPNG
internal import TextModel

/// Reader of all kinds of PNG files as gray or BGRA pixels; transparency is put on a ``Backdrop``.
enum PNGReader {
    static func read(_ file: [UInt8], path: String, limits: DecodingLimits) throws(PictureError) -> Picture {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        defer { unsafe png_image_free(&image) }
        guard unsafe png_image_begin_read_from_memory(&image, file, file.count) != 0 else {
            throw unsafe Self.failure(of: image, path: path)
        }
        let (width, height) = unsafe (Int(image.width), Int(image.height))
        // 16-bit files without a gamma are treated as sRGB, as in every viewer, and not as linear light.
        unsafe image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
        let isColour = unsafe image.format & PNG_FORMAT_FLAG_COLOR != 0
        let isOpaque = unsafe image.format & PNG_FORMAT_FLAG_ALPHA == 0
        let channels = isColour ? 4 : 1
        try limits.check(
            width: width,
            height: height,
            bytesPerPixel: isOpaque ? 2 * channels : 2 * channels + 4,
            of: .png,
            path: path
        )
        var pixels = PixelBuffer(width: width, height: height, format: isColour ? .bgra : .gray)
        let isWhole =
            unsafe isOpaque ? Self.readOpaque(&image, into: &pixels) : Self.readOnBackdrop(&image, into: &pixels)
        guard isWhole else { throw unsafe Self.failure(of: image, path: path) }
        return Picture(pixels: pixels, orientation: Self.orientation(of: file) ?? .up)
    }

    /// Reads a picture without transparency.
    ///
    /// - Returns: Whether the picture is complete.
    private static func readOpaque(_ image: inout png_image, into pixels: inout PixelBuffer) -> Bool {
        unsafe image.format = pixels.format == .bgra ? PNG_FORMAT_BGRA : UInt32(PNG_FORMAT_GRAY)
        return unsafe pixels.withMutableBytes { bytes in
            unsafe png_image_finish_read(&image, nil, bytes.baseAddress, 0, nil) != 0
        }
    }

    /// Reads a picture with transparency, composited on its backdrop.
    ///
    /// - Returns: Whether the picture is complete.
    private static func readOnBackdrop(_ image: inout png_image, into pixels: inout PixelBuffer) -> Bool {
        let channels = pixels.format == .bgra ? 4 : 2
        var samples = [UInt8](repeating: 0, count: pixels.width * pixels.height * channels)
        unsafe image.format = channels == 4 ? PNG_FORMAT_BGRA : PNG_FORMAT_GA
        guard unsafe png_image_finish_read(&image, nil, &samples, 0, nil) != 0 else { return false }
        pixels.lay(samples, channels: channels)
        return true
    }

    /// Orientation in the file's EXIF chunk, which libpng's simplified API does not expose.
    private static func orientation(of file: [UInt8]) -> Orientation? {
        unsafe file.withUnsafeBytes { file in
            let file = unsafe PeerBytes(file)
            return file.pngChunk("eXIf").flatMap { TIFFDirectory(exifChunk: $0) }?.orientation
        }
    }

    private static func failure(of image: png_image, path: String) -> PictureError {
        let reason = unsafe withUnsafeBytes(of: image.message) { message in
            unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        }
        // Such a chunk changes what the others mean (PNG 3, section 13.1): that of Apple's apps, for instance, swaps the colours.
        guard !reason.hasSuffix("unhandled critical chunk") else {
            return PictureError(
                .unsupported,
                "\(path) is a PNG of a kind that is not read (\(reason)). Save it as an ordinary PNG first."
            )
        }
        return PictureError(damaged: .png, path: path, reason)
    }
}

extension PeerBytes {
    /// Bytes of a PNG in front of its first chunk.
    private static let pngSignatureByteCount = 8
    /// Bytes of a chunk around its data: length, name and checksum.
    private static let pngChunkByteCount = 12

    /// The data of the first chunk of a PNG with a name; `nil` without one.
    func pngChunk(_ name: StaticString) -> PeerBytes? {
        var offset = Self.pngSignatureByteCount
        while let length = self.number(UInt32.self, at: offset).map(Int.init) {
            if self.has(name, at: offset + 4) { return self[offset + 8..<offset + 8 + length] }
            offset += Self.pngChunkByteCount + length
        }
        return nil
    }
}
