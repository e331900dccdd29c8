internal import FrameOverlay
internal import FramePipeline
internal import ImageCodecs
internal import GlyphwireProtocol
internal import HTTPRequests
internal import TextModel
internal import VideoSources

/// Picture file prepared as a frame.
struct PictureFrame {
    /// Header of the frame.
    let description: FrameDescription
    /// Payload of the frame.
    let payload: [UInt8]
    /// File of the picture.
    let file: PictureFile

    /// Opens a file, or downloads one; a download blocks the thread.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - settings: The orientation, the limits, which are checked before memory is allocated, and the time for an address.
    /// - Throws: ``PictureError``.
    init(at place: PicturePlace, settings: PictureReader.Settings) throws(PictureError) {
        switch place {
        case .file(let path): self.file = try Self.file(at: path)
        case .web(let address):
            let download = PictureDownload(
                address,
                maxByteCount: settings.limits.maxMessageBytes,
                timeout: settings.timeout
            )
            let bytes: [UInt8]
            do throws(SourceError) {
                bytes = try download.bytes()
            } catch {
                throw PictureError(.unreadable, error.message)
            }
            self.file = try PictureFile(bytes: bytes, path: place.name)
        case .wrongAddress(_, let error):
            throw PictureError(.unreadable, "\(place.name) cannot be read: \(error.message)")
        }
        (self.description, self.payload) = try self.file.frame(
            orientation: settings.orientation,
            limits: settings.limits
        )
    }

    private static func file(at path: String) throws(PictureError) -> PictureFile {
        guard !PictureFile.isMisnamed(path: path) else {
            throw PictureError(
                .unreadable,
                "\(path) cannot be read: its name is not UTF-8. Rename it, or use: glyphwire read - < FILE"
            )
        }
        return try PictureFile(path: path)
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
