public import TextModel

/// Picture file, identified by its bytes and not by its name.
public struct PictureFile: Sendable {
    /// Supported file format.
    public enum Format: Sendable, Hashable {
        /// A JPEG, with ``PictureFile/bytes`` as the payload of a frame.
        case jpeg
        /// A PNG of any depth and colour type; transparent pixels are put on the gray with most contrast.
        case png
    }

    /// Path of the file.
    public let path: String
    /// Format of the file.
    public let format: Format
    /// Content of the file.
    public let bytes: [UInt8]

    /// Reads the file at `path`.
    ///
    /// - Parameter path: Of a JPEG or PNG file.
    /// - Throws: ``PictureError``, which explains how to convert other formats.
    public init(path: String) throws(PictureError) {
        try self.init(bytes: try FileBytes.read(path), path: path)
    }

    /// Creates a picture file from bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole JPEG or PNG file.
    ///   - path: The name to use in errors.
    /// - Throws: ``PictureError``, which explains how to convert other formats.
    public init(bytes: [UInt8], path: String) throws(PictureError) {
        let kind = unsafe bytes.withUnsafeBytes { bytes in
            let bytes = unsafe PeerBytes(bytes)
            return PictureFormat(of: bytes) ?? (bytes.jpegStart == nil ? nil : .jpeg)
        }
        switch kind {
        case .jpeg: self.format = .jpeg
        case .png: self.format = .png
        default: throw Self.unsupported(kind, isEmpty: bytes.isEmpty, path: path)
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
        switch self.format {
        case .png:
            return try PNGReader.read(self.bytes, path: self.path, limits: limits)
        case .jpeg:
            do throws(CodecError) {
                return try unsafe FrameDecoder(limits: self.limitsOfWholeJPEG(limits)).withFrame(
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

    /// Limits that keep the JPEG at full size, since boxes are drawn on its pixels.
    private func limitsOfWholeJPEG(_ limits: PictureLimits) -> PictureLimits {
        guard let size = unsafe JPEGSize.of(self.bytes.span.bytes), size.height > 0,
            size.width <= limits.maxJPEGPixels / size.height
        else { return limits }
        var whole = limits
        whole.maxPixels = max(limits.maxPixels, size.width * size.height)
        return whole
    }

    private static func unsupported(_ format: PictureFormat?, isEmpty: Bool, path: String) -> PictureError {
        guard let format else {
            let reason = isEmpty ? "the file is empty" : "its format is not known"
            return PictureError(.unsupported, "\(path) is not a JPEG or PNG: \(reason).")
        }
        let command =
            switch format {
            case .heic, .avif: "heif-convert \(path) picture.png"
            case .pdf: "pdftoppm -r 150 -png \(path) page"
            default: "convert \(path) picture.png"
            }
        return PictureError(
            .unsupported,
            "\(path) is a \(format.rawValue) file; JPEG and PNG are read. Convert it first, for instance with: \(command)"
        )
    }
}

/// Pixels with their orientation.
public struct Picture: Sendable, Hashable {
    /// Pixels as stored.
    public var pixels: PixelBuffer
    /// Orientation of the stored rows and columns.
    public var orientation: Orientation

    /// Creates a picture from `pixels` and their orientation.
    public init(pixels: PixelBuffer, orientation: Orientation = .up) {
        self.pixels = pixels
        self.orientation = orientation
    }
}
