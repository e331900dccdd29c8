internal import ImageCodecs
internal import FrameOverlay
internal import GlyphwireProtocol
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Names of the annotated pictures: a file for one, a folder for several.
struct OverlayNames {
    private let path: String
    private let isFolder: Bool
    private var used: Set<String> = []

    /// Creates names for `pictureCount` pictures.
    ///
    /// - Parameters:
    ///   - path: The path, of a folder if there are several pictures, if it exists as one, or if it ends with a slash.
    ///   - pictureCount: The number of pictures.
    /// - Throws: ``Failure`` if the folder cannot be created.
    init(path: String, pictureCount: Int) throws(Failure) {
        self.path = path
        self.isFolder = pictureCount > 1 || path.hasSuffix("/") || ModelFolder.isFolder(path)
        guard self.isFolder, !ModelFolder.isFolder(path) else { return }
        guard mkdir(path, 0o777) == 0 else {
            throw Failure("The folder \(path) for the overlays cannot be created: \(String(cString: strerror(errno))).")
        }
    }

    /// Draws the boxes on the picture, rotates it upright and writes it.
    ///
    /// - Parameters:
    ///   - text: The text of the picture.
    ///   - frame: The picture.
    /// - Throws: ``PictureError`` if the file cannot be written.
    mutating func write(_ text: FrameText, on frame: PictureFrame) throws(PictureError) {
        // A picture with a text may be damaged below it.
        var overlay = Overlay(on: try frame.file.picture(damaged: .read).pixels)
        overlay.draw(text.linesAsSent)
        try overlay.write(to: self.name(for: frame.file.path), uprightFrom: text.orientation)
    }

    private mutating func name(for picture: String) -> String {
        guard self.isFolder else { return self.path }
        let file = picture.split(separator: "/").last ?? "picture"
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
        // Pictures in different folders may have the same name.
        var name = stem
        var number = 1
        while !self.used.insert(name).inserted {
            number += 1
            name = "\(stem)-\(number)"
        }
        return "\(self.path.hasSuffix("/") ? self.path : self.path + "/")\(name).png"
    }
}
