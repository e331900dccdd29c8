public import TextModel

/// Decoder from frame payloads to pixels; each worker has one, which keeps its memory between frames.
///
/// Not `Sendable`: a decoder belongs to the thread that uses it. It allocates nothing in a stream of equal frames;
/// libjpeg-turbo allocates its own memory and frees it with each picture.
public final class FrameDecoder {
    private let limits: PictureLimits
    private let lz4Frames = LZ4FrameDecoder()
    private var buffer = ReusedBuffer()
    /// Pixels that were made square.
    private var squareBuffer = ReusedBuffer()

    /// Creates a decoder that rejects JPEG files beyond `limits` before it allocates memory for them.
    public init(limits: PictureLimits) {
        self.limits = limits
    }

    /// Number of bytes allocated for decoded pixels.
    package var bufferByteCount: Int { self.buffer.byteCount + self.squareBuffer.byteCount }

    /// Calls `body` with the pixels of a frame, as sent, and their orientation.
    ///
    /// - Parameters:
    ///   - frame: Description from the frame's header.
    ///   - payload: The bytes after the header.
    ///   - body: Closure that uses the pixels, which are invalid once it returns.
    /// - Returns: What `body` returns.
    /// - Throws: ``CodecError`` of a payload that cannot be decoded or is damaged.
    public func withPixels<R>(
        of frame: FrameDescription,
        payload: RawSpan,
        _ body: (PixelView, Orientation) -> R
    ) throws(CodecError) -> R {
        var frame = frame
        frame.pixelAspectRatio = 1
        return try self.withFrame(frame, payload: payload) { body($0.pixels, $0.orientation) }
    }

    /// Calls `body` with a frame's pixels, which are square, and what was found while decoding them.
    ///
    /// Raw formats expose the payload's own memory; the others are decoded into the decoder's buffer, which the next
    /// call overwrites. The orientation in the header comes first, then the JPEG's EXIF tag, then ``Orientation/up``.
    ///
    /// - Parameters:
    ///   - frame: Description from the frame's header.
    ///   - payload: The bytes after the header.
    ///   - damaged: Whether a damaged JPEG is an error even if there are intact rows above the damage.
    ///   - minScale: The lowest allowed scale for a given width and height. A JPEG is decoded at the smallest of 1,
    ///     1/2, 1/4 and 1/8 that is not below it, or at 1/2 if it has too many pixels for 1; other pictures at full size.
    ///   - body: Closure that uses the pixels, which are invalid once it returns.
    /// - Returns: What `body` returns.
    /// - Throws: ``CodecError`` for a payload that cannot be decoded or does not match the description: `sizeMismatch`,
    ///   `jpegCorrupt`, `jpegUnsupported`, `lz4Corrupt`, and for a JPEG `badDimensions` and `tooManyPixels`.
    public func withFrame<R>(
        _ frame: FrameDescription,
        payload: RawSpan,
        damaged: DamagedFrames = .refuse,
        minScale: (_ width: Int, _ height: Int) -> Float = { _, _ in 1 },
        _ body: (DecodedFrame) -> R
    ) throws(CodecError) -> R {
        try unsafe payload.withUnsafeBytes { (payload) throws(CodecError) -> R in
            switch frame.format {
            case .jpeg:
                let header = try unsafe JPEGHeader(of: PeerBytes(payload))
                try self.check(header, of: frame)
                let reduction = JPEGReduction(
                    minScale: minScale(header.width, header.height),
                    isHalved: header.width > self.limits.maxPixels / header.height
                )
                let decoded = try unsafe self.decode(
                    payload,
                    header: header,
                    of: frame,
                    damaged: damaged,
                    reduction: reduction
                )
                return body(self.squared(decoded, pixelAspectRatio: frame.pixelAspectRatio))
            case .bgra, .gray, .bgraLZ4Block, .grayLZ4Block, .bgraLZ4Frame:
                let rows = try unsafe self.rows(of: frame, in: payload)
                let view = unsafe PixelView(
                    rows: rows,
                    width: frame.width,
                    height: frame.height,
                    bytesPerRow: frame.bytesPerRow,
                    format: frame.format.bytesPerPixel == 1 ? .gray : .bgra
                )
                let decoded = DecodedFrame(
                    pixels: view,
                    orientation: frame.orientation ?? .up,
                    warnings: frame.warnings
                )
                return body(self.squared(decoded, pixelAspectRatio: frame.pixelAspectRatio))
            }
        }
    }

    /// Rejects a JPEG whose size exceeds the limits or differs from the frame's header.
    private func check(_ header: JPEGHeader, of frame: FrameDescription) throws(CodecError) {
        let (width, height) = (header.width, header.height)
        let sides = 1...min(self.limits.maxSide, JPEGHeader.maxSide)
        guard sides.contains(width), sides.contains(height) else {
            throw CodecError(
                .badDimensions,
                "a JPEG of \(width)x\(height) pixels, a side may be 1...\(sides.upperBound); send a smaller one"
            )
        }
        guard header.fits(self.limits) else {
            let kind = header.isBuffered ? " for a progressive one, or one of several scans" : ""
            throw CodecError(
                .tooManyPixels,
                "a JPEG of \(width)x\(height) has \(width * height) pixels, the limit is "
                    + "\(header.maxPixels(under: self.limits))\(kind); send a smaller one"
                    + (header.isBuffered ? ", or one of one scan" : "")
            )
        }
        guard frame.width == 0 || (frame.width, frame.height) == (width, height) else {
            throw CodecError(
                .sizeMismatch,
                "the JPEG is \(width)x\(height) pixels, but the frame's header says \(frame.width)x\(frame.height); "
                    + "send 0x0 or the JPEG's own size"
            )
        }
    }

    /// Decodes a JPEG into the buffer and blanks rows that may be damaged.
    private func decode(
        _ jpeg: UnsafeRawBufferPointer,
        header: JPEGHeader,
        of frame: FrameDescription,
        damaged: DamagedFrames,
        reduction: JPEGReduction
    ) throws(CodecError) -> DecodedFrame {
        let scans = unsafe header.scans(of: PeerBytes(jpeg))
        try header.check(scans, limit: self.limits.maxJPEGScans, damaged: damaged)
        let decoder = try unsafe JPEGDecoder(
            UnsafeRawBufferPointer(rebasing: jpeg[header.start..<scans.end]),
            scanLimit: self.limits.maxJPEGScans
        )
        try decoder.readHeader(as: header)
        let size = reduction.size(of: header)
        let bytesPerRow = size.width * header.pixelFormat.bytesPerPixel
        let pixels = unsafe self.buffer.reserve(bytesPerRow * size.height)
        let report = try unsafe decoder.decode(header, into: pixels, reduction: reduction)
        var warnings = report.warnings
        if header.start > 0, !warnings.contains(FrameWarning(.jpegStrayBytes)) {
            warnings.insert(FrameWarning(.jpegStrayBytes), at: 0)
        }
        if report.intactRows < header.height {
            let intactRows = report.intactRows / Int(reduction.rawValue)
            guard damaged == .read, intactRows > 0 else {
                throw decoder.failure(isPartlyReadable: intactRows > 0)
            }
            unsafe blank(pixels, from: intactRows * bytesPerRow, bytesPerRow: bytesPerRow, format: header.pixelFormat)
            // The other warning says that nothing but the end marker is missing.
            warnings.removeAll { $0.code == .jpegNoEnd }
            warnings.append(FrameWarning(.jpegDamaged, row: report.intactRows))
        }
        return DecodedFrame(
            pixels: unsafe PixelView(
                rows: UnsafeRawBufferPointer(pixels),
                width: size.width,
                height: size.height,
                bytesPerRow: bytesPerRow,
                format: header.pixelFormat
            ),
            orientation: frame.orientation ?? header.orientation ?? .up,
            width: header.width,
            height: header.height,
            intactRows: report.intactRows,
            warnings: warnings
        )
    }

    /// The frame with square pixels; itself if they are, or would be more than the limits allow.
    private func squared(_ frame: DecodedFrame, pixelAspectRatio ratio: Float) -> DecodedFrame {
        let pixels = frame.pixels
        let (width, height) = pixels.squareSize(pixelAspectRatio: ratio)
        guard ratio != 1, max(width, height) <= self.limits.maxSide, width <= self.limits.maxPixels / height else {
            return frame
        }
        let bytesPerRow = width * pixels.format.bytesPerPixel
        let rows = unsafe self.squareBuffer.reserve(bytesPerRow * height)
        if width == pixels.width {
            unsafe pixels.stretchRows(to: height, into: rows)
        } else {
            unsafe pixels.stretchColumns(to: width, into: rows)
        }
        return DecodedFrame(
            pixels: unsafe PixelView(
                rows: UnsafeRawBufferPointer(rows),
                width: width,
                height: height,
                bytesPerRow: bytesPerRow,
                format: pixels.format
            ),
            orientation: frame.orientation,
            width: frame.width,
            height: frame.height,
            intactRows: frame.intactRows,
            warnings: frame.warnings
        )
    }

    /// Rows of a frame: the payload itself, or its decompressed content in the buffer.
    private func rows(
        of frame: FrameDescription,
        in payload: UnsafeRawBufferPointer
    ) throws(CodecError) -> UnsafeRawBufferPointer {
        guard frame.format.isLZ4 else {
            guard frame.accepts(pixelByteCount: payload.count) else {
                throw frame.mismatch("the payload has", payload.count)
            }
            return unsafe payload
        }
        let rows = unsafe self.buffer.reserve(frame.maximumPixelByteCount)
        if frame.format == .bgraLZ4Frame {
            try unsafe self.lz4Frames.decode(payload, into: rows, of: frame)
        } else {
            try unsafe LZ4Block.decode(payload, into: rows, of: frame)
        }
        return UnsafeRawBufferPointer(rows)
    }
}

extension FrameDescription {
    /// Error for data whose byte count differs from that of this frame's rows.
    func mismatch(_ subject: String, _ byteCount: Int?) -> CodecError {
        let (least, most) = (self.minimumPixelByteCount, self.maximumPixelByteCount)
        let found = byteCount.map { "\($0) bytes" } ?? "more"
        let wanted = least == most ? "\(most)" : "\(most), or \(least) without the last row's padding"
        return CodecError(
            .sizeMismatch,
            "\(subject) \(found), but \(self.height) rows of \(self.bytesPerRow) bytes take \(wanted); send that many"
        )
    }
}

extension PixelView {
    /// Creates a view of at least one row.
    fileprivate init(rows: UnsafeRawBufferPointer, width: Int, height: Int, bytesPerRow: Int, format: PixelFormat) {
        guard let base = rows.baseAddress else { preconditionFailure("a frame has at least one row") }
        unsafe self.init(base: base, width: width, height: height, bytesPerRow: bytesPerRow, format: format)
    }
}
