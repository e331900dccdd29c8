/// Layout of a pixel.
public enum PixelFormat: Sendable, Hashable {
    /// Four bytes per pixel: blue, green, red, and one that is ignored.
    case bgra
    /// One byte per pixel.
    case gray

    /// Number of bytes per pixel.
    @inlinable
    public var bytesPerPixel: Int {
        switch self {
        case .bgra: 4
        case .gray: 1
        }
    }
}
