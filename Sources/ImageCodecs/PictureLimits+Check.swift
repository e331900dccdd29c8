internal import TextModel

extension PictureLimits {
    /// Checks the size of a picture before anything is allocated for it.
    ///
    /// - Parameters:
    ///   - width: In pixels, as the file says.
    ///   - height: In pixels.
    ///   - format: The kind of the file.
    ///   - path: The name of the file in errors.
    /// - Throws: ``PictureError`` with ``PictureError/Code/damaged`` for a side of zero, else ``PictureError/Code/tooLarge``.
    func check(width: Int, height: Int, of format: PictureFormat, path: String) throws(PictureError) {
        guard width > 0, height > 0 else {
            throw PictureError(.damaged, "\(path): the \(format.rawValue) is \(width) x \(height) pixels.")
        }
        let size = "\(path): the \(format.rawValue) is \(width) x \(height) pixels"
        guard max(width, height) <= self.maxSide else {
            throw PictureError(
                .tooLarge,
                "\(size); the limit of a side is \(self.maxSide) (--max-side). Send a smaller one."
            )
        }
        guard width <= self.maxPixels / height else {
            throw PictureError(
                .tooLarge,
                "\(size); the limit is \(self.maxPixels) pixels (--max-pixels), and \(self.maxJPEGPixels) of a baseline JPEG. "
                    + "Send a smaller one, or a baseline JPEG."
            )
        }
    }
}

extension PictureError {
    /// The error of a file that cannot be decoded.
    ///
    /// - Parameters:
    ///   - format: The kind of the file.
    ///   - path: The name of the file.
    ///   - reason: What is wrong, in a few words.
    init(damaged format: PictureFormat, path: String, _ reason: String) {
        self.init(.damaged, "\(path): the \(format.rawValue) is damaged or cut off: \(reason).")
    }
}
