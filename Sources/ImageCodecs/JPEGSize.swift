internal import TextModel

/// The size of a JPEG, without decoding it.
package enum JPEGSize {
    /// The width and height in a JPEG's header, in pixels as they are stored.
    ///
    /// - Parameter jpeg: The file.
    /// - Returns: `nil` if its markers are not those of a JPEG that is read here.
    package static func of(_ jpeg: RawSpan) -> (width: Int, height: Int)? {
        unsafe jpeg.withUnsafeBytes { bytes in
            (try? unsafe JPEGHeader(of: PeerBytes(bytes))).map { ($0.width, $0.height) }
        }
    }
}
