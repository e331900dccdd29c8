/// The shape of a network's input picture: `height` rows of `width` pixels of three bytes (blue, green, red).
public struct InputShape: Hashable, Sendable {
    /// The value of padding: a middle gray, which means neither light nor dark to a network.
    public static let paddingValue: UInt8 = 127

    /// The number of channels of a pixel, in a byte each: blue, green, red.
    public static let channelCount = 3

    /// The number of rows.
    public var height: Int
    /// The number of pixels of a row.
    public var width: Int

    /// A shape of `height` rows of `width` pixels.
    public init(height: Int, width: Int) {
        self.height = height
        self.width = width
    }

    /// The bytes of a row.
    @inlinable
    public var bytesPerRow: Int { Self.channelCount * self.width }
    /// The bytes of the input.
    @inlinable
    public var byteCount: Int { self.height * self.bytesPerRow }
}
