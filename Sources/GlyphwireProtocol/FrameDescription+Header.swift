public import TextModel

extension FrameDescription {
    /// Validates a frame's header; what only the payload can show is left to the decoder.
    ///
    /// - Parameters:
    ///   - header: Of a message of type ``MessageType/frame``.
    ///   - limits: Limits on the picture.
    /// - Throws: ``WireError`` with the first violated rule: format, orientation, payload, size.
    public init(header: MessageHeader, limits: WireLimits) throws(WireError) {
        guard let format = FrameFormat(rawValue: header.format) else {
            throw WireError(
                .unknownFormat,
                "frame format \(header.format) is unknown; use 1 JPEG, 2 BGRA LZ4 block, 3 BGRA, 4 BGRA LZ4 frame, "
                    + "5 gray or 6 gray LZ4 block"
            )
        }
        let orientation = Orientation(rawValue: header.orientation)
        guard orientation != nil || header.orientation == 0 else {
            throw WireError(
                .badOrientation,
                "orientation \(header.orientation) does not exist; use 1...8 as in EXIF, or 0 for the JPEG's own"
            )
        }
        guard header.payloadByteCount > 0 else {
            throw WireError(.emptyPayload, "the frame has no payload; send the picture's bytes after the header")
        }
        let rows = try Rows(header: header, format: format, limits: limits)
        self.init(
            format: format,
            orientation: orientation,
            width: Int(header.width),
            height: Int(header.height),
            bytesPerRow: rows.bytesPerRow,
            pixelByteCounts: rows.minimumByteCount...rows.maximumByteCount
        )
    }
}

/// Memory layout of a frame's rows.
private struct Rows {
    var bytesPerRow = 0
    var minimumByteCount = 0
    var maximumByteCount = 0

    init(header: MessageHeader, format: FrameFormat, limits: WireLimits) throws(WireError) {
        let (width, height) = (Int64(header.width), Int64(header.height))
        guard let bytesPerPixel = format.bytesPerPixel.map(Int64.init) else {
            guard header.bytesPerRow == 0, (width == 0) == (height == 0) else {
                throw WireError(
                    .badDimensions,
                    "a JPEG with \(width)x\(height) pixels and \(header.bytesPerRow) bytes per row in its header; "
                        + "send 0 for all three, or the JPEG's own width and height with 0 bytes per row"
                )
            }
            if width > 0 { try Self.checkSize(width, height, maxPixels: limits.picture.maxJPEGPixels, limits: limits) }
            return
        }
        guard width > 0, height > 0 else {
            throw WireError(
                .badDimensions,
                "a frame of \(width)x\(height) pixels; send the width and height of the picture in the header"
            )
        }
        try Self.checkSize(width, height, maxPixels: limits.picture.maxPixels, limits: limits)

        // Every product here fits in 64 bits: 16-bit sides, a 32-bit row, a 16-bit number of rows.
        let packed = width * bytesPerPixel
        let bytesPerRow = header.bytesPerRow == 0 ? packed : Int64(header.bytesPerRow)
        guard bytesPerRow >= packed else {
            throw WireError(
                .badDimensions,
                "\(bytesPerRow) bytes per row cannot hold \(width) pixels of \(bytesPerPixel) bytes; "
                    + "send at least \(packed), or 0 for rows without padding"
            )
        }
        let (minimum, maximum) = (bytesPerRow * (height - 1) + packed, bytesPerRow * height)
        // Padding takes memory too: even a narrow picture may not take more than the largest one.
        guard maximum <= Int64(limits.picture.maxPixels) * 4 else {
            throw WireError(
                .badDimensions,
                "\(height) rows of \(bytesPerRow) bytes take \(maximum) bytes, the limit is "
                    + "\(limits.picture.maxPixels * 4); send rows with less padding"
            )
        }
        self.bytesPerRow = Int(bytesPerRow)
        self.minimumByteCount = Int(minimum)
        self.maximumByteCount = Int(maximum)
        try self.checkPayload(of: header, format: format, limits: limits)
    }

    /// Checks the length of a payload of rows, compressed or not.
    private func checkPayload(
        of header: MessageHeader,
        format: FrameFormat,
        limits: WireLimits
    ) throws(WireError) {
        let (payload, minimum, maximum) = (header.payloadByteCount, self.minimumByteCount, self.maximumByteCount)
        if format.isLZ4 {
            // Checked before any memory is allocated.
            guard payload >= minimum / max(limits.picture.maxLZ4Ratio, 1) else {
                throw WireError(
                    .lz4Corrupt,
                    "\(payload) bytes of LZ4 for the \(minimum) bytes of \(header.width)x\(header.height) pixels, the "
                        + "limit is \(limits.picture.maxLZ4Ratio) to one; send the whole compressed picture"
                )
            }
        } else if payload != minimum, payload != maximum {
            throw WireError(
                .sizeMismatch,
                "the payload has \(payload) bytes, but \(header.height) rows of \(self.bytesPerRow) take \(maximum)"
                    + (minimum == maximum ? "" : ", or \(minimum) without the last row's padding")
                    + "; send exactly that many"
            )
        }
    }

    private static func checkSize(
        _ width: Int64,
        _ height: Int64,
        maxPixels: Int,
        limits: WireLimits
    ) throws(WireError) {
        guard width <= limits.picture.maxSide, height <= limits.picture.maxSide else {
            throw WireError(
                .badDimensions,
                "a frame of \(width)x\(height) pixels, the longest side allowed is \(limits.picture.maxSide); send a smaller one"
            )
        }
        guard width * height <= maxPixels else {
            throw WireError(
                .tooManyPixels,
                "a frame of \(width)x\(height) has \(width * height) pixels, the limit is \(maxPixels); "
                    + "send a smaller one"
            )
        }
    }
}
