/// Options now in effect.
public struct Configured: Sendable, Hashable {
    /// Sequence number of the `configure` message.
    public var sequence: UInt64
    /// All options in effect, without the token.
    public var options: StreamConfiguration
    /// Number of unanswered frames after which the server stops reading from the socket.
    ///
    /// It is `nil` where newer frames supersede older ones.
    public var window: Int?

    /// Creates the answer to the `configure` numbered `sequence`, without the token.
    public init(sequence: UInt64, options: StreamConfiguration, window: Int? = nil) {
        self.sequence = sequence
        self.options = options
        self.options.token = nil
        self.options.temporal = options.isTemporal
        self.window = window
    }
}
