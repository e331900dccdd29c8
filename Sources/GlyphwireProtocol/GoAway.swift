/// Notice that the server is stopping: it answers accepted messages, accepts no more, and closes.
public struct GoAway: Sendable, Hashable {
    /// Time for the client to receive its last lines, in milliseconds.
    public var graceMilliseconds: Int

    /// Creates a notice.
    public init(graceMilliseconds: Int) { self.graceMilliseconds = graceMilliseconds }
}
