package import GlyphwireProtocol
package import ImageCodecs
package import TextModel

extension PictureFile {
    /// Frame for the picture as a client sends it: a JPEG file as is, others decoded.
    ///
    /// - Parameters:
    ///   - orientation: Orientation of the picture; 0 takes the file's.
    ///   - limits: Limits on the frame.
    /// - Returns: The content of the frame's header, and the payload.
    /// - Throws: ``PictureError``.
    package func frame(
        orientation: UInt8 = 0,
        limits: WireLimits = WireLimits()
    ) throws(PictureError) -> (description: FrameDescription, payload: [UInt8]) {
        try self.frame(orientation: orientation, limits: limits) { _ in true }
    }

    /// Frame for the picture as a client sends it, decoded with memory that is reserved first.
    ///
    /// - Parameters:
    ///   - orientation: Orientation of the picture; 0 takes the file's.
    ///   - limits: Limits on the frame.
    ///   - hold: Reserves a number of bytes, and returns whether there is room for them.
    /// - Returns: The content of the frame's header, and the payload.
    /// - Throws: ``PictureError``.
    package func frame(
        orientation: UInt8,
        limits: WireLimits,
        hold: @escaping @Sendable (Int) -> Bool
    ) throws(PictureError) -> (description: FrameDescription, payload: [UInt8]) {
        var payload = self.bytes
        var header: MessageHeader
        switch self.format {
        case .jpeg:
            header = MessageHeader(
                type: .frame,
                format: .jpeg,
                orientation: orientation,
                payloadByteCount: payload.count
            )
        default:
            let picture = try self.picture(limits: DecodingLimits(limits.picture, hold: hold))
            payload = picture.pixels.bytes
            header = MessageHeader(
                type: .frame,
                format: picture.pixels.format == .gray ? .gray : .bgra,
                orientation: orientation == 0 ? picture.orientation.rawValue : orientation,
                width: UInt16(clamping: picture.pixels.width),
                height: UInt16(clamping: picture.pixels.height),
                payloadByteCount: payload.count
            )
        }
        do throws(WireError) {
            var frame = try FrameDescription(header: header, limits: limits)
            frame.warnings = self.warnings
            frame.pixelAspectRatio = self.resolution?.pixelAspectRatio ?? 1
            return (frame, payload)
        } catch {
            throw PictureError(error, path: self.path)
        }
    }
}

extension PictureError {
    /// The error of the file at `path` whose frame is rejected.
    fileprivate init(_ error: WireError, path: String) {
        let isTooLarge = error.code == .tooManyPixels || error.code == .badDimensions
        self.init(isTooLarge ? .tooLarge : .damaged, "\(path): \(error.message)")
    }
}
