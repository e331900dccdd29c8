internal import CJPEG
internal import TextModel

/// libjpeg-turbo's decoder, for one picture.
///
/// A decoder that has read a picture keeps its tables and applies them to a next one that comes without. What a frame says
/// must not depend on whose frame came before, so each gets its own; making one takes less than a microsecond.
@safe
struct JPEGDecoder: ~Copyable {
    private let handle: OpaquePointer

    /// Begins with `jpeg`, from its start marker on, which must outlive the decoder.
    ///
    /// - Parameters:
    ///   - jpeg: Up to its end marker, or where it ends without one.
    ///   - scanLimit: How many scans are read.
    /// - Throws: `internalError` if there is no memory.
    init(_ jpeg: UnsafeRawBufferPointer, scanLimit: Int) throws(CodecError) {
        let bytes = unsafe jpeg.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let handle = unsafe cjpeg_open(bytes, jpeg.count, Int32(clamping: scanLimit)) else {
            throw CodecError(.outOfMemory, "the server has no memory for a JPEG decoder; send the frame again later")
        }
        unsafe self.handle = handle
    }

    deinit {
        unsafe cjpeg_close(self.handle)
    }

    /// Decodes the picture into rows without padding, gray for a gray picture, else BGRA.
    ///
    /// - Parameters:
    ///   - header: What was checked against the limits.
    ///   - pixels: Room for exactly the rows of the reduced picture.
    ///   - reduction: By what its sides are divided.
    /// - Returns: What was odd, and how far down the rows can be trusted.
    /// - Throws: `jpegCorrupt` if no row could be decoded.
    func decode(
        _ header: JPEGHeader,
        into pixels: UnsafeMutableRawBufferPointer,
        reduction: JPEGReduction
    ) throws(CodecError) -> JPEGReport {
        let size = reduction.size(of: header)
        precondition(pixels.count == size.width * size.height * header.pixelFormat.bytesPerPixel)
        let layout =
            switch header.componentCount {
            case 1: CJPEG_GRAY
            case 3: CJPEG_BGRA
            default: CJPEG_CMYK
            }
        var report = cjpeg_report()
        let bytes = unsafe pixels.assumingMemoryBound(to: UInt8.self).baseAddress
        guard unsafe cjpeg_decode(self.handle, reduction.rawValue, layout, bytes, &report) else {
            throw self.failure()
        }
        if header.componentCount == 4 { unsafe convertInvertedCMYKToBGRA(pixels) }
        return JPEGReport(report)
    }

    /// Reads the header, which must say what `header` does.
    ///
    /// The library writes as many pixels as it reads from the header itself, so it must have read the same.
    func readHeader(as header: JPEGHeader) throws(CodecError) {
        var size = cjpeg_size()
        guard unsafe cjpeg_read_header(self.handle, &size), Int(size.width) == header.width,
            Int(size.height) == header.height, Int(size.components) == header.componentCount
        else { throw self.failure() }
    }

    /// That the picture is damaged, in the library's words.
    func failure() -> CodecError {
        unsafe CodecError(jpegFlaw: String(cString: cjpeg_message(self.handle)))
    }
}

/// What decoding has shown of a JPEG.
struct JPEGReport {
    /// What is odd and does no harm.
    let warnings: [FrameWarning]
    /// How many rows, as sent, come before what may be damaged.
    let intactRows: Int

    fileprivate init(_ report: cjpeg_report) {
        var warnings: [FrameWarning] = []
        if report.stray_bytes { warnings.append(FrameWarning(.jpegStrayBytes)) }
        if report.no_end { warnings.append(FrameWarning(.jpegNoEnd)) }
        if report.no_tables { warnings.append(FrameWarning(.jpegNoTables)) }
        if report.odd_header { warnings.append(FrameWarning(.jpegOddHeader)) }
        self.warnings = warnings
        self.intactRows = Int(report.intact_rows)
    }
}
