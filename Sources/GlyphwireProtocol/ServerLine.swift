internal import TextModel

/// Line from the server.
public enum ServerLine: Sendable, Equatable {
    /// The first line of every connection.
    case hello(Hello)
    /// The answer to `configure`.
    case configured(Configured)
    /// The answer to a frame.
    case result(FrameResult)
    /// The answer to `ping`.
    case pong(Pong)
    /// The answer to `stats`.
    case stats(Stats)
    /// The answer to a rejected message that is not a frame.
    case error(ErrorLine)
    /// The answer to `end`, and the last line.
    case end(EndLine)
    /// The server is about to stop.
    case goAway(GoAway)
    /// A line of a type unknown to this version; only a newer server sends one.
    case other(type: String)
}

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

/// Answer to a `ping`, with the timestamps for comparing two clocks.
public struct Pong: Sendable, Hashable {
    /// Sequence number of the `ping`.
    public var sequence: UInt64
    /// Capture time of the `ping`: the client's clock when it was sent.
    public var capturedMicroseconds: UInt64
    /// The server's clock when the `ping` was received, in microseconds since 1970.
    public var receivedMicroseconds: UInt64
    /// The server's clock when this was sent, in microseconds since 1970.
    public var sentMicroseconds: UInt64

    /// Creates the answer to a ping.
    public init(
        sequence: UInt64,
        capturedMicroseconds: UInt64,
        receivedMicroseconds: UInt64,
        sentMicroseconds: UInt64
    ) {
        self.sequence = sequence
        self.capturedMicroseconds = capturedMicroseconds
        self.receivedMicroseconds = receivedMicroseconds
        self.sentMicroseconds = sentMicroseconds
    }

    /// Microseconds by which the server's clock is ahead of the client's, for `clock_offset_us`.
    ///
    /// It assumes equal latency in both directions. Send several pings while no frames are in transit, and use the
    /// answer with the shortest round trip.
    ///
    /// - Parameter arrivedMicroseconds: The client's clock when this arrived; ``capturedMicroseconds`` is the same
    ///   clock when the ping was sent.
    /// - Returns: The offset; negative where the server's clock is behind.
    public func clockOffset(arrivedMicroseconds: UInt64) -> Int {
        // Each difference is exact modulo 2^64 and is halved before the addition.
        let there = Int(truncatingIfNeeded: self.receivedMicroseconds &- self.capturedMicroseconds)
        let back = Int(truncatingIfNeeded: self.sentMicroseconds &- arrivedMicroseconds)
        return there / 2 + back / 2
    }
}

/// Error in a message other than a frame, or in the stream as a whole.
public struct ErrorLine: Sendable, Equatable {
    /// The error.
    public var error: WireError
    /// Sequence number of the message; `nil` if its header could not be parsed.
    public var sequence: UInt64?
    /// Whether this is the last line before the server closes the connection.
    public var isFatal: Bool

    /// Creates an error in the message numbered `sequence`; its code determines whether it is fatal.
    public init(error: WireError, sequence: UInt64?) {
        self.init(error: error, sequence: sequence, isFatal: error.code.isFatal)
    }

    /// Creates an error as a server reported it, possibly with an unknown code.
    package init(error: WireError, sequence: UInt64?, isFatal: Bool) {
        self.error = error
        self.sequence = sequence
        self.isFatal = isFatal
    }
}

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

/// Notice that the server is stopping: it answers accepted messages, accepts no more, and closes.
public struct GoAway: Sendable, Hashable {
    /// Time for the client to receive its last lines, in milliseconds.
    public var graceMilliseconds: Int

    /// Creates a notice.
    public init(graceMilliseconds: Int) { self.graceMilliseconds = graceMilliseconds }
}
