internal import TextModel

/// Size of a JPEG, found without decoding it.
package enum JPEGSize {
    /// Width and height in a JPEG's header, in pixels as stored.
    ///
    /// - Parameter jpeg: The file.
    /// - Returns: `nil` if its markers are not those of a supported JPEG.
    package static func of(_ jpeg: RawSpan) -> (width: Int, height: Int)? {
        unsafe jpeg.withUnsafeBytes { bytes in
            (try? unsafe JPEGHeader(of: PeerBytes(bytes))).map { ($0.width, $0.height) }
        }
    }
}
