/// How a row of pixels is laid out.
public enum PixelFormat: Sendable, Hashable {
    /// Four bytes a pixel: blue, green, red, and one that is ignored.
    case bgra
    /// One byte a pixel.
    case gray

    /// Bytes of one pixel.
    @inlinable
    public var bytesPerPixel: Int {
        switch self {
        case .bgra: 4
        case .gray: 1
        }
    }
}

/// A look at pixels that somebody else owns, valid only inside the closure that it was handed to.
@safe
public struct PixelView {
    /// The first byte of the first row.
    public let base: UnsafeRawPointer
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// From the start of one row to the start of the next, at least `width` pixels; after the last row's pixels nothing
    /// need follow.
    public let bytesPerRow: Int
    /// What a pixel is.
    public let format: PixelFormat

    /// A view of `height` rows that start at `base`; the caller vouches for the memory.
    @inlinable
    public init(base: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int, format: PixelFormat) {
        unsafe self.base = base
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.format = format
    }
}

// Safe because the pixels do not change while the closure runs.
extension PixelView: @unchecked Sendable {}
