/// What a peer may ask for at most; the server says its limits in `hello`.
public struct WireLimits: Sendable, Hashable {
    /// The largest value of a message's length field; 64 MiB by default, which is two 4K frames of raw BGRA.
    public var maxMessageBytes: Int
    /// Pixels of one frame; 7680 x 4320 by default, which is 8K.
    public var maxPixels: Int
    /// Pixels of one side of a frame; 16384 by default.
    public var maxSide: Int
    /// Bytes of a `configure` body; 64 KiB by default.
    public var maxConfigureBytes: Int

    /// Limits, each with its default.
    public init(
        maxMessageBytes: Int = 64 << 20,
        maxPixels: Int = 7680 * 4320,
        maxSide: Int = 16384,
        maxConfigureBytes: Int = 64 << 10
    ) {
        self.maxMessageBytes = maxMessageBytes
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxConfigureBytes = maxConfigureBytes
    }
}
