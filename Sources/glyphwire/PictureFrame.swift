internal import FramePipeline
internal import ImageCodecs
internal import GlyphwireProtocol
internal import TextModel

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
    ///   - limits: What is refused before anything is allocated for it.
    /// - Throws: ``PictureError``.
    init(path: String, orientation: UInt8, limits: WireLimits) throws(PictureError) {
        self.file = try PictureFile(path: path)
        (self.description, self.payload) = try self.file.frame(orientation: orientation, limits: limits)
    }
}
