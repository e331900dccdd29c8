internal import FrameOverlay
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
    ///   - path: The path of a picture file, or `-` for standard input.
    ///   - orientation: The orientation; 0 takes the file's.
    ///   - limits: The limits, checked before memory is allocated.
    /// - Throws: ``PictureError``.
    init(path: String, orientation: UInt8, limits: WireLimits) throws(PictureError) {
        self.file = try PictureFile(path: path)
        (self.description, self.payload) = try self.file.frame(orientation: orientation, limits: limits)
    }

    /// Draws the boxes of a text on the picture, turns it upright and writes it.
    ///
    /// - Parameters:
    ///   - text: The text of the picture.
    ///   - path: The path of the file.
    /// - Throws: ``PictureError`` if the file cannot be written.
    func writeOverlay(of text: FrameText, to path: String) throws(PictureError) {
        // A picture that has a text may be damaged below it.
        var overlay = Overlay(on: try self.file.picture(damaged: .read).pixels)
        overlay.draw(text.linesAsSent)
        try overlay.write(to: path, uprightFrom: text.orientation)
    }
}
