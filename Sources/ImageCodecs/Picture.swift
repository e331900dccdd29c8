public import TextModel

/// Pixels with their orientation.
public struct Picture: Sendable, Hashable {
    /// Pixels as stored.
    public var pixels: PixelBuffer
    /// Orientation of the stored rows and columns.
    public var orientation: Orientation

    /// Creates a picture from `pixels` and their orientation.
    public init(pixels: PixelBuffer, orientation: Orientation = .up) {
        self.pixels = pixels
        self.orientation = orientation
    }
}
