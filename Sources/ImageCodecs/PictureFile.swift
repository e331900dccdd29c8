public import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Picture file, identified by its bytes and not by its name.
public struct PictureFile: Sendable {
    /// Supported file format.
    public enum Format: Sendable, Hashable {
        /// A JPEG, with ``PictureFile/bytes`` as the payload of a frame.
        case jpeg
        /// A PNG of any depth and colour type; transparent pixels are put on the gray with most contrast.
        case png
        /// Lossy or lossless; of an animation, the first frame is read.
        case webP
        /// Of any compression and layout that libtiff knows; of several pages, the first is read, and no smaller copy of one.
        case tiff
        /// Of an animation, the first frame is read.
        case gif
        /// Without compression.
        case bmp
    }

    /// The kinds of files that are read, in words.
    package static let supportedFormats = "JPEG, PNG, WebP, TIFF, GIF and BMP"
    /// The ends of the names of such files, by which pictures are chosen in a folder, in small letters.
    package static let nameExtensions: Set<String> = [
        "jpg", "jpeg", "jpe", "png", "webp", "tif", "tiff", "gif", "bmp",
    ]

    /// Path of the file.
    public let path: String
    /// Format of the file.
    public let format: Format
    /// Content of the file.
    public let bytes: [UInt8]
    /// The number of pages, of which the first is read; more than one only in a TIFF, whose directories are counted.
    public var pageCount: Int {
        guard self.format == .tiff else { return 1 }
        return unsafe self.bytes.withUnsafeBytes { bytes in
            let file = unsafe PeerBytes(bytes)
            return TIFFPages(of: file).count
        }
    }

    /// Irregularities of the file that do not keep its picture from being read.
    package var warnings: [FrameWarning] {
        let pageCount = self.pageCount
        return pageCount > 1 ? [FrameWarning(.firstPageOnly, pages: pageCount)] : []
    }

    /// Resolution that the file states; `nil` if it states none that is credible, or is neither a JPEG nor a PNG or TIFF.
    package var resolution: PictureResolution? {
        unsafe self.bytes.withUnsafeBytes { bytes in
            let file = unsafe PeerBytes(bytes)
            switch self.format {
            case .jpeg: return (try? JPEGHeader(of: file))?.resolution
            case .png: return PictureResolution(png: file)
            case .tiff: return TIFFPages(of: file).first?.resolution
            case .webP, .gif, .bmp: return nil
            }
        }
    }

    /// Whether what is at `path` has a name that is not UTF-8, so that it is not found: U+FFFD replaces what is not.
    package static func isMisnamed(path: String) -> Bool {
        guard path.unicodeScalars.contains("\u{FFFD}") else { return false }
        return unsafe access(path, F_OK) != 0
    }

    /// Reads the file at `path`.
    ///
    /// - Parameter path: Of a picture file; `-` is standard input.
    /// - Throws: ``PictureError``, which explains how to convert other formats.
    public init(path: String) throws(PictureError) {
        try self.init(bytes: try FileBytes.read(path), path: path)
    }

    /// Creates a picture file from bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole picture file.
    ///   - path: The name to use in errors.
    /// - Throws: ``PictureError``, which explains how to convert other formats.
    public init(bytes: [UInt8], path: String) throws(PictureError) {
        let format = unsafe bytes.withUnsafeBytes { bytes in
            let bytes = unsafe PeerBytes(bytes)
            return PictureFormat(of: bytes) ?? (bytes.jpegStart == nil ? nil : .jpeg)
        }
        switch format {
        case .jpeg: self.format = .jpeg
        case .png: self.format = .png
        case .webP: self.format = .webP
        case .tiff: self.format = .tiff
        case .gif: self.format = .gif
        case .bmp: self.format = .bmp
        case nil: throw Self.unsupported(bytes, path: path)
        }
        self.path = path
        self.bytes = bytes
    }

    /// Decodes the file.
    ///
    /// - Parameters:
    ///   - limits: Limits checked before any memory is allocated.
    ///   - damaged: Whether a damaged JPEG is an error even if there are intact rows above the damage.
    /// - Returns: Its pixels and their orientation.
    /// - Throws: ``PictureError``.
    public func picture(
        limits: PictureLimits = PictureLimits(),
        damaged: DamagedFrames = .refuse
    ) throws(PictureError) -> Picture {
        try self.picture(limits: DecodingLimits(limits), damaged: damaged)
    }

    /// Decodes the file with memory that is reserved first.
    ///
    /// - Parameters:
    ///   - limits: Limits checked before any memory is allocated.
    ///   - damaged: Whether a damaged JPEG is an error even if there are intact rows above the damage.
    /// - Returns: Its pixels and their orientation.
    /// - Throws: ``PictureError``.
    package func picture(
        limits: DecodingLimits,
        damaged: DamagedFrames = .refuse
    ) throws(PictureError) -> Picture {
        switch self.format {
        case .png:
            return try PNGReader.read(self.bytes, path: self.path, limits: limits)
        case .webP:
            return try WebPReader.read(self.bytes, path: self.path, limits: limits)
        case .tiff:
            return try TIFFReader.read(self.bytes, path: self.path, limits: limits)
        case .gif:
            return try GIFReader.read(self.bytes, path: self.path, limits: limits)
        case .bmp:
            return try BMPReader.read(self.bytes, path: self.path, limits: limits)
        case .jpeg:
            try self.reserveJPEG(limits)
            do throws(CodecError) {
                return try unsafe FrameDecoder(limits: self.limitsOfWholeJPEG(limits.picture)).withFrame(
                    .jpeg,
                    payload: self.bytes.span.bytes,
                    damaged: damaged
                ) { frame in
                    Picture(pixels: PixelBuffer(copying: frame.pixels), orientation: frame.orientation)
                }
            } catch {
                throw PictureError(error, path: self.path)
            }
        }
    }

    /// Header of the JPEG, if it is within the limits; what is not is rejected without memory.
    private func jpegHeader(within limits: PictureLimits) -> JPEGHeader? {
        unsafe self.bytes.withUnsafeBytes { bytes in
            guard let header = try? unsafe JPEGHeader(of: PeerBytes(bytes)), header.fits(limits) else { return nil }
            return header
        }
    }

    private func reserveJPEG(_ limits: DecodingLimits) throws(PictureError) {
        guard let header = self.jpegHeader(within: limits.picture) else { return }
        // The decoder's pixels and a copy of them, and coefficients that are buffered.
        let bytesPerPixel = header.isBuffered ? 8 + 2 * header.componentCount : 8
        try limits.reserve(width: header.width, height: header.height, bytesPerPixel: bytesPerPixel, path: self.path)
    }

    /// Limits that keep the JPEG at full size, since boxes are drawn on its pixels.
    private func limitsOfWholeJPEG(_ limits: PictureLimits) -> PictureLimits {
        guard let header = self.jpegHeader(within: limits) else { return limits }
        var whole = limits
        whole.maxPixels = max(limits.maxPixels, header.width * header.height)
        return whole
    }

    private static func unsupported(_ bytes: [UInt8], path: String) -> PictureError {
        let format = unsafe bytes.withUnsafeBytes { bytes in unsafe ForeignFormat(of: PeerBytes(bytes)) }
        if let format { return PictureError(foreign: format, path: path) }
        let reason = bytes.isEmpty ? "the file is empty" : "its format is not known"
        return PictureError(
            .unsupported,
            "\(path) is not a picture file: \(reason). \(Self.supportedFormats) are read."
        )
    }
}
