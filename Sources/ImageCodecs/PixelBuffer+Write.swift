extension PixelBuffer {
    /// Writes the picture to a file in the format of its name extension: `.png`, `.jpg` or `.jpeg`.
    ///
    /// - Parameter path: Of the file; an existing one is replaced.
    /// - Throws: ``PictureError`` if it cannot be written or has another extension.
    public func write(to path: String) throws(PictureError) {
        let name = path.lowercased()
        let file: [UInt8]
        if name.hasSuffix(".png") {
            file = try self.withPixels { (view) throws(PictureError) in try PNGEncoder().encode(view) }
        } else if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
            let encoder = JPEGEncoder(quality: 92, subsampling: .none)
            file = try self.withPixels { (view) throws(PictureError) in try encoder.encode(view) }
        } else {
            throw PictureError(.unwritable, "\(path): the name must end in .png or .jpg.")
        }
        try FileBytes.write(file, to: path)
    }
}
