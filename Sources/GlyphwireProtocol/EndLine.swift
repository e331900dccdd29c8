/// Last line of a stream that its client ended.
public struct EndLine: Sendable, Hashable {
    /// Sequence number of the `end` message.
    public var sequence: UInt64
    /// Number of frames answered on this connection.
    public var frames: UInt64

    /// Creates the answer to the `end` numbered `sequence`.
    public init(sequence: UInt64, frames: UInt64) {
        self.sequence = sequence
        self.frames = frames
    }
}
