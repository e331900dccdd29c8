internal import FrameCodecs
internal import GlyphwireProtocol

/// A picture file as the frame that a client would send.
struct PictureFrame {
    /// What the frame's header would say.
    let description: FrameDescription
    /// What would follow it.
    let payload: [UInt8]
    /// The file.
    let file: PictureFile

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Of a JPEG or PNG file.
    ///   - orientation: How the picture lies; 0 asks the file.
    /// - Throws: ``PictureError``, or ``Failure`` for a picture that is too large to be a frame.
    init(path: String, orientation: UInt8) throws {
        self.file = try PictureFile(path: path)
        var header: MessageHeader
        switch self.file.format {
        case .jpeg:
            self.payload = self.file.bytes
            header = MessageHeader(
                type: .frame,
                format: .jpeg,
                orientation: orientation,
                payloadByteCount: self.payload.count
            )
        case .png:
            let picture = try self.file.picture()
            self.payload = picture.pixels.bytes
            header = MessageHeader(
                type: .frame,
                format: picture.pixels.format == .gray ? .gray : .bgra,
                orientation: orientation == 0 ? picture.orientation.rawValue : orientation,
                width: UInt16(clamping: picture.pixels.width),
                height: UInt16(clamping: picture.pixels.height),
                payloadByteCount: self.payload.count
            )
        }
        do {
            self.description = try FrameDescription(header: header, limits: WireLimits())
        } catch {
            throw Failure("\(path): \(error.message)")
        }
    }
}
