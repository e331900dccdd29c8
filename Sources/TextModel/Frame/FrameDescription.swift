/// Validated frame header: all that is needed to decode the payload into pixels.
public struct FrameDescription: Sendable, Hashable {
    /// Encoding of the payload.
    public let format: FrameFormat
    /// Stored orientation; `nil` takes the JPEG's EXIF tag, else ``Orientation/up``.
    public let orientation: Orientation?
    /// Width in pixels as sent; 0 leaves it to the JPEG file, other values must match the file.
    public let width: Int
    /// Height in pixels as sent; 0 leaves it to the JPEG file, other values must match the file.
    public let height: Int
    /// Stride in bytes from one row to the next; 0 for a JPEG.
    public let bytesPerRow: Int
    /// Irregularities of the file that the pixels come from; none of a frame that was sent as it is.
    public package(set) var warnings: [FrameWarning] = []
    /// Width of a pixel divided by its height, by the file; 1 of a frame that was sent as it is.
    ///
    /// The decoder makes pixels square, since letters are known by their form.
    public package(set) var pixelAspectRatio: Float = 1

    /// Number of bytes in all rows without the last row's padding; 0 for a JPEG.
    public let minimumPixelByteCount: Int
    /// Number of bytes in all rows with the last row's padding; 0 for a JPEG.
    public let maximumPixelByteCount: Int

    /// Creates a description from consistent values.
    ///
    /// - Parameters:
    ///   - format: The encoding of the payload.
    ///   - orientation: The stored orientation; `nil` takes that of the JPEG's EXIF tag.
    ///   - width: In pixels as sent; 0 leaves it to the JPEG.
    ///   - height: In pixels as sent; 0 leaves it to the JPEG.
    ///   - bytesPerRow: The stride; 0 for a JPEG.
    ///   - pixelByteCounts: The bytes of all rows, without and with the padding of the last one; 0 for a JPEG.
    package init(
        format: FrameFormat,
        orientation: Orientation?,
        width: Int,
        height: Int,
        bytesPerRow: Int,
        pixelByteCounts: ClosedRange<Int>
    ) {
        self.format = format
        self.orientation = orientation
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.minimumPixelByteCount = pixelByteCounts.lowerBound
        self.maximumPixelByteCount = pixelByteCounts.upperBound
    }

    /// A JPEG file that states its own size and orientation.
    package static let jpeg = FrameDescription(
        format: .jpeg,
        orientation: nil,
        width: 0,
        height: 0,
        bytesPerRow: 0,
        pixelByteCounts: 0...0
    )

    /// Whether `byteCount` decoded bytes are this frame's rows, with or without the last row's padding.
    public func accepts(pixelByteCount byteCount: Int) -> Bool {
        byteCount == self.minimumPixelByteCount || byteCount == self.maximumPixelByteCount
    }
}
