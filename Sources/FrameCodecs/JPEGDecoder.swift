internal import CTurboJPEG
internal import GlyphwireProtocol

/// The JPEG decoder of libjpeg-turbo, for one picture.
///
/// A decoder that has read a picture keeps its tables and lends them to a next one that comes without. What a frame says
/// must not depend on whose frame came before, so each gets its own; making one takes 0.2 µs.
@safe
struct JPEGDecoder: ~Copyable {
    /// The damage of a warning is seen in the picture and would be read as text, so warnings are errors.
    ///
    /// The accurate DCT and upsampling are taken because the fast ones save little: 5.1 ms against 4.6 ms for a 1080p
    /// 4:2:0 picture, for differences of up to 24 levels at the edges of letters.
    private static let flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS

    private let handle: tjhandle

    init() throws(WireError) {
        guard let handle = unsafe tjInitDecompress() else {
            throw WireError(.internalError, "the server has no memory for a JPEG decoder; send the frame again later")
        }
        unsafe self.handle = handle
    }

    deinit {
        unsafe tjDestroy(self.handle)
    }

    /// Decodes `jpeg`, whose header is `header`, into `pixels`: rows without padding, gray for a gray picture, else BGRA.
    func decode(
        _ jpeg: UnsafeRawBufferPointer,
        header: JPEGHeader,
        into pixels: UnsafeMutableRawBufferPointer
    ) throws(WireError) {
        let source = unsafe jpeg.assumingMemoryBound(to: UInt8.self).baseAddress
        let size = UInt(jpeg.count)
        try unsafe self.checkSize(of: source, size: size, is: header)
        let format =
            switch header.componentCount {
            case 1: TJPF_GRAY
            case 3: TJPF_BGRA
            default: TJPF_CMYK
            }
        precondition(pixels.count >= header.width * header.height * (header.componentCount == 1 ? 1 : 4))
        let status = unsafe tjDecompress2(
            self.handle,
            source,
            size,
            pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
            Int32(header.width),
            0,
            Int32(header.height),
            Int32(format.rawValue),
            Self.flags
        )
        guard status == 0 else { throw self.failure() }
        if header.componentCount == 4 { unsafe convertInvertedCMYKToBGRA(pixels) }
    }

    /// The library writes as many pixels as it reads from the header itself, so it must have read what we did.
    private func checkSize(of source: UnsafePointer<UInt8>?, size: UInt, is header: JPEGHeader) throws(WireError) {
        var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        // The status is left aside: it is an error, too, where the chroma sampling is none of those with a name.
        _ = unsafe tjDecompressHeader3(self.handle, source, size, &width, &height, &subsampling, &colours)
        guard Int(width) == header.width, Int(height) == header.height else { throw self.failure() }
    }

    private func failure() -> WireError {
        unsafe WireError(jpegFlaw: String(cString: tjGetErrorStr2(self.handle)))
    }
}
