internal import CJPEG
internal import TextModel

/// libjpeg-turbo decoder for one picture.
///
/// A decoder keeps its tables and would apply them to the next picture that comes without. A frame's result must not
/// depend on another client's frame, so each gets its own decoder; creating one takes less than a microsecond.
@safe
struct JPEGDecoder: ~Copyable {
    private let handle: OpaquePointer

    /// Starts to decode `jpeg`, which must outlive the decoder.
    ///
    /// - Parameters:
    ///   - jpeg: From its start marker to its end marker, or to its end without one.
    ///   - scanLimit: Maximum number of scans to read.
    /// - Throws: `outOfMemory` if there is no memory.
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
    ///   - header: The header that was checked against the limits.
    ///   - pixels: Memory for exactly the rows of the reduced picture.
    ///   - reduction: The divisor of its sides.
    /// - Returns: The irregularities, and the number of intact rows.
    /// - Throws: `jpegCorrupt` if no row could be decoded, `jpegUnsupported` of a kind that libjpeg does not decode, or
    ///   `outOfMemory`.
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

    /// Reads the header and checks it against `header`.
    ///
    /// The library takes as much memory, and writes as many pixels, as its own reading of the header implies, so both
    /// must agree.
    func readHeader(as header: JPEGHeader) throws(CodecError) {
        var size = cjpeg_size()
        guard unsafe cjpeg_read_header(self.handle, &size), Int(size.width) == header.width,
            Int(size.height) == header.height, Int(size.components) == header.componentCount,
            size.is_buffered == header.isBuffered
        else { throw self.failure() }
    }

    /// Error for a picture that cannot be decoded, with the library's message.
    ///
    /// - Parameter isPartlyReadable: Whether the rows above the damage can be read.
    /// - Returns: The error.
    func failure(isPartlyReadable: Bool = false) -> CodecError {
        let message = unsafe String(cString: cjpeg_message(self.handle))
        let cause = unsafe cjpeg_failure(self.handle)
        switch cause {
        case CJPEG_NO_MEMORY:
            return CodecError(.outOfMemory, "the server has no memory to decode the JPEG; send the frame again later")
        case CJPEG_UNSUPPORTED:
            return CodecError(
                .jpegUnsupported,
                "the JPEG is of a kind that is not read (\(message)); save it as a common baseline JPEG"
            )
        default:
            return CodecError(jpegFlaw: message, isPartlyReadable: isPartlyReadable)
        }
    }
}

/// Findings from decoding a JPEG.
struct JPEGReport {
    /// Harmless irregularities.
    let warnings: [FrameWarning]
    /// Number of rows, as sent, above any damage.
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
