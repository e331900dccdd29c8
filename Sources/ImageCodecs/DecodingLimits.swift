package import TextModel

/// Limits under which a picture file is decoded: its size, and the memory that the caller has for it.
package struct DecodingLimits: Sendable {
    /// Memory that a decoder takes for each pixel, in bytes: samples, pixels, and what a backdrop is found with.
    ///
    /// A TIFF with transparency takes the most.
    private static let bytesPerPixel = 12

    /// Limits on the picture.
    let picture: PictureLimits
    private let hold: @Sendable (Int) -> Bool

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - picture: The limits on the picture.
    ///   - hold: Reserves a number of bytes before they are allocated, and returns whether there is room for them.
    package init(_ picture: PictureLimits, hold: @escaping @Sendable (Int) -> Bool = { _ in true }) {
        self.picture = picture
        self.hold = hold
    }

    /// Checks the size of a picture, and reserves memory for it, before anything is allocated.
    ///
    /// - Parameters:
    ///   - width: In pixels, as the file says.
    ///   - height: In pixels.
    ///   - format: The kind of the file.
    ///   - path: The name of the file in errors.
    /// - Throws: ``PictureError``.
    func check(width: Int, height: Int, of format: PictureFormat, path: String) throws(PictureError) {
        try self.picture.check(width: width, height: height, of: format, path: path)
        try self.reserve(width: width, height: height, path: path)
    }

    /// Reserves memory for a picture.
    func reserve(width: Int, height: Int, path: String) throws(PictureError) {
        guard self.hold(width * height * Self.bytesPerPixel) else {
            throw PictureError(.noMemory, "\(path): there is no memory left to decode \(width) x \(height) pixels.")
        }
    }
}
