package import TextModel

/// Limits under which a picture file is decoded: its size, and the memory that the caller has for it.
package struct DecodingLimits: Sendable {
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
    ///   - bytesPerPixel: Memory that decoding takes for each pixel: samples, pixels, and a copy of either.
    ///   - format: The kind of the file.
    ///   - path: The name of the file in errors.
    /// - Throws: ``PictureError``.
    func check(
        width: Int,
        height: Int,
        bytesPerPixel: Int,
        of format: PictureFormat,
        path: String
    ) throws(PictureError) {
        try self.picture.check(width: width, height: height, of: format, path: path)
        try self.reserve(width: width, height: height, bytesPerPixel: bytesPerPixel, path: path)
    }

    /// Reserves memory for a picture of a size within the limits.
    func reserve(width: Int, height: Int, bytesPerPixel: Int, path: String) throws(PictureError) {
        guard self.hold(width * height * bytesPerPixel) else {
            throw PictureError(.noMemory, "\(path): there is no memory left to decode \(width) x \(height) pixels.")
        }
    }
}
