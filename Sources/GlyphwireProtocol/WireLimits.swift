public import TextModel

/// Limits on the size of a message, of the frame in it, and of its result.
///
/// `hello` reports the length of a message, the pixels and the side of a frame, and the length of a `configure` body.
public struct WireLimits: Sendable, Hashable {
    /// The largest value of a message's length field; 64 MiB by default, which is two 4K frames of raw BGRA.
    public var maxMessageBytes: Int
    /// Bytes of a `configure` body; 64 KiB by default.
    public var maxConfigureBytes: Int
    /// Words of one result; 10,000 by default, and a result that has more is cut off and says so.
    public var maxWords: Int
    /// Limits on the frame's picture.
    public var picture: PictureLimits

    /// Limits, each with its default.
    public init(
        maxMessageBytes: Int = 64 << 20,
        maxConfigureBytes: Int = 64 << 10,
        maxWords: Int = 10_000,
        picture: PictureLimits = PictureLimits()
    ) {
        self.maxMessageBytes = maxMessageBytes
        self.maxConfigureBytes = maxConfigureBytes
        self.maxWords = maxWords
        self.picture = picture
    }
}
