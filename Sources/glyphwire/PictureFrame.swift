internal import FramePipeline
internal import ImageCodecs
internal import GlyphwireProtocol
internal import TextModel

/// Picture file prepared as a frame.
struct PictureFrame {
    /// Header of the frame.
    let description: FrameDescription
    /// Payload of the frame.
    let payload: [UInt8]
    /// File of the picture.
    let file: PictureFile

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of a JPEG or PNG file.
    ///   - orientation: The orientation; 0 takes the file's.
    ///   - limits: The limits, checked before memory is allocated.
    /// - Throws: ``PictureError``.
    init(path: String, orientation: UInt8, limits: WireLimits) throws(PictureError) {
        self.file = try PictureFile(path: path)
        (self.description, self.payload) = try self.file.frame(orientation: orientation, limits: limits)
    }
}
