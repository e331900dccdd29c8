/// Borrowed view of pixels, valid only inside the closure that received it.
@safe
public struct PixelView {
    /// Address of the first row's first byte.
    public let base: UnsafeRawPointer
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Stride in bytes from one row to the next, at least the bytes of `width` pixels.
    ///
    /// The last row may end with its last pixel, without padding.
    public let bytesPerRow: Int
    /// Format of a pixel.
    public let format: PixelFormat

    /// Creates a view of `height` rows at `base`; the caller guarantees that the memory is valid.
    @inlinable
    public init(base: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, format: PixelFormat) {
        unsafe self.base = base
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.format = format
    }

    /// View of a part of the pixels, which lies inside them.
    package func part(x: Int, y: Int, width: Int, height: Int) -> PixelView {
        precondition(x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height)
        return unsafe PixelView(
            base: self.base + y * self.bytesPerRow + x * self.format.bytesPerPixel,
            width: width,
            height: height,
            bytesPerRow: self.bytesPerRow,
            format: self.format
        )
    }
}

// Safe because the pixels do not change while the closure runs.
extension PixelView: @unchecked Sendable {}
