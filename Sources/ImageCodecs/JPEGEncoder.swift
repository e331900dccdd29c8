internal import CTurboJPEG

/// Encoder of baseline JPEG files.
public struct JPEGEncoder: Sendable {
    /// Chroma subsampling.
    public enum Subsampling: Sendable {
        /// Colour at half the resolution on both axes, as cameras send it.
        case half
        /// Colour at full resolution: for thin coloured lines.
        case none
    }

    /// Quality, 1...100.
    public var quality: Int
    /// Chroma subsampling of colour pictures.
    public var subsampling: Subsampling

    /// Creates an encoder; the defaults are those of a good camera.
    public init(quality: Int = 85, subsampling: Subsampling = .half) {
        precondition((1...100).contains(quality), "a quality is 1...100")
        self.quality = quality
        self.subsampling = subsampling
    }

    /// Encodes `view` as a JPEG file.
    ///
    /// - Parameter view: Gray pixels, which become a gray JPEG, or BGRA pixels, whose fourth byte is ignored.
    /// - Returns: A whole file.
    /// - Throws: ``PictureError`` if libjpeg-turbo cannot write it: a JPEG's sides are at most 65500 pixels.
    public func encode(_ view: PixelView) throws(PictureError) -> [UInt8] {
        let (format, sampling) =
            switch (view.format, self.subsampling) {
            case (.gray, _): (TJPF_GRAY, TJSAMP_GRAY)
            case (.bgra, .half): (TJPF_BGRX, TJSAMP_420)
            case (.bgra, .none): (TJPF_BGRX, TJSAMP_444)
            }
        let subsampling = Int32(sampling.rawValue)
        let (width, height) = (Int32(view.width), Int32(view.height))
        guard let capacity = Int(exactly: tjBufSize(width, height, subsampling)) else {
            throw Self.failure(view, "the picture is too large")
        }
        guard let handle = unsafe tjInitCompress() else { throw Self.failure(view, "out of memory") }
        defer { unsafe tjDestroy(handle) }
        var file = [UInt8](repeating: 0, count: capacity)
        var byteCount = UInt(file.count)
        let status = unsafe file.withUnsafeMutableBufferPointer { file in
            var start = file.baseAddress
            return unsafe tjCompress2(
                handle,
                view.base.assumingMemoryBound(to: UInt8.self),
                width,
                Int32(view.bytesPerRow),
                height,
                Int32(format.rawValue),
                &start,
                &byteCount,
                subsampling,
                Int32(self.quality),
                TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC
            )
        }
        guard status == 0 else { throw Self.failure(view, unsafe String(cString: tjGetErrorStr2(handle))) }
        file.removeSubrange(Int(byteCount)...)
        return file
    }

    private static func failure(_ view: PixelView, _ reason: String) -> PictureError {
        PictureError(.unwritable, "A JPEG of \(view.width) x \(view.height) pixels cannot be written: \(reason).")
    }
}
