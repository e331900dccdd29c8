/// A frame's header, understood and found good: all that is needed to turn the payload into pixels.
public struct FrameDescription: Sendable, Hashable {
    /// How the payload holds the pixels.
    public let format: FrameFormat
    /// How the picture must be turned; `nil` takes the JPEG's own EXIF tag, else ``Orientation/up``.
    public let orientation: Orientation?
    /// In pixels as sent; 0 for a JPEG whose header leaves it to the file, otherwise the file must agree.
    public let width: Int
    /// In pixels as sent; 0 for a JPEG whose header leaves it to the file, otherwise the file must agree.
    public let height: Int
    /// From the start of one row to the start of the next; 0 for a JPEG.
    public let bytesPerRow: Int

    /// Bytes of all rows but for the last one's padding, the fewest the pixels can take; 0 for a JPEG.
    public let minimumPixelByteCount: Int
    /// Bytes of all rows, the last one's padding among them; 0 for a JPEG.
    public let maximumPixelByteCount: Int

    /// A frame whose numbers belong together.
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

    /// A JPEG file whose size and orientation are its own.
    package static let jpeg = FrameDescription(
        format: .jpeg,
        orientation: nil,
        width: 0,
        height: 0,
        bytesPerRow: 0,
        pixelByteCounts: 0...0
    )

    /// Whether `byteCount` bytes, unpacked, are this frame's rows: the last row's padding may be there or not.
    public func accepts(pixelByteCount byteCount: Int) -> Bool {
        byteCount == self.minimumPixelByteCount || byteCount == self.maximumPixelByteCount
    }
}
