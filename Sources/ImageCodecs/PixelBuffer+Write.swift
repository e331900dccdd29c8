extension PixelBuffer {
    /// Writes the picture into a file, as what the end of its name says: `.png`, `.jpg` or `.jpeg`.
    ///
    /// - Parameter path: Of the file, which is replaced if it is there.
    /// - Throws: ``PictureError`` if it cannot be written or its name ends otherwise.
    public func write(to path: String) throws(PictureError) {
        let name = path.lowercased()
        let file: [UInt8]
        if name.hasSuffix(".png") {
            file = try self.withPixels { (view) throws(PictureError) in try PNGEncoder().encode(view) }
        } else if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
            let encoder = JPEGEncoder(quality: 92, subsampling: .none)
            file = try self.withPixels { (view) throws(PictureError) in try encoder.encode(view) }
        } else {
            throw PictureError(.unwritable, "\(path): end the name in .png or .jpg to say as what it is to be written.")
        }
        try FileBytes.write(file, to: path)
    }
}
