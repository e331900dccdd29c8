public import TextModel

/// Limits on the size of a message, of the frame in it, and of its result.
///
/// `hello` reports the length of a message, the pixels and the side of a frame, and the length of a `configure` body.
public struct WireLimits: Sendable, Hashable {
    /// Largest value of a message's length field; 64 MiB by default, two 4K frames of raw BGRA.
    public var maxMessageBytes: Int
    /// Maximum number of bytes of a `configure` body; 64 KiB by default.
    public var maxConfigureBytes: Int
    /// Maximum number of words in a result; 10,000 by default.
    ///
    /// A longer result is marked as truncated.
    public var maxWords: Int
    /// Limits on the frame's picture.
    public var picture: PictureLimits

    /// Maximum number of payload bytes of a message.
    package var maxPayloadBytes: Int {
        max(self.maxMessageBytes, MessageHeader.minimumLength) - MessageHeader.minimumLength
    }

    /// Creates limits, each with its default.
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
