internal import TextModel

/// One line from the server.
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
    /// The answer to a message that could not be honoured and was no frame.
    case error(ErrorLine)
    /// The answer to `end`, and the last line.
    case end(EndLine)
    /// The server is about to stop.
    case goAway(GoAway)
    /// A line of a type that this version does not know; only a newer server sends one.
    case other(type: String)
}

/// The options now in force.
public struct Configured: Sendable, Hashable {
    /// The number of the `configure` message.
    public var sequence: UInt64
    /// All options as they are in force, the token left out.
    public var options: StreamConfiguration
    /// Unanswered frames after which the server stops reading from the socket.
    ///
    /// It is `nil` where newer frames supersede older ones.
    public var window: Int?

    /// The answer to the `configure` numbered `sequence`; its token is dropped.
    public init(sequence: UInt64, options: StreamConfiguration, window: Int? = nil) {
        self.sequence = sequence
        self.options = options
        self.options.token = nil
        self.options.temporal = options.isTemporal
        self.window = window
    }
}

/// A sign of life, with what it takes to compare two clocks.
public struct Pong: Sendable, Hashable {
    /// The number of the `ping`.
    public var sequence: UInt64
    /// The capture time of the `ping`: the client's clock when it was sent.
    public var capturedMicroseconds: UInt64
    /// The server's clock when the `ping` was received, in microseconds since 1970.
    public var receivedMicroseconds: UInt64
    /// The server's clock when this was sent, in microseconds since 1970.
    public var sentMicroseconds: UInt64

    /// The answer to a ping.
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
    /// The way there and the way back are taken to be equally long. So ask while no frames are on their way, several
    /// times, and believe the answer that came soonest.
    ///
    /// - Parameter arrivedMicroseconds: The client's clock when this arrived; ``capturedMicroseconds`` was the same clock
    ///   when the ping was sent.
    /// - Returns: The difference; below zero where the server's clock is behind.
    public func clockOffset(arrivedMicroseconds: UInt64) -> Int {
        // Each difference is exact as far as 64 bits go round, and then cut in half before they are added.
        let there = Int(truncatingIfNeeded: self.receivedMicroseconds &- self.capturedMicroseconds)
        let back = Int(truncatingIfNeeded: self.sentMicroseconds &- arrivedMicroseconds)
        return there / 2 + back / 2
    }
}

/// What was wrong with a message that was no frame, or with the stream as a whole.
public struct ErrorLine: Sendable, Equatable {
    /// What was wrong.
    public var error: WireError
    /// The number of the message; `nil` where its header could not be read.
    public var sequence: UInt64?
    /// Whether this is the last line and the server closes the connection.
    public var isFatal: Bool

    /// An error in the message numbered `sequence`, as fatal as its code is.
    public init(error: WireError, sequence: UInt64?) {
        self.init(error: error, sequence: sequence, isFatal: error.code.isFatal)
    }

    /// An error that a server calls fatal or not; its code may be one that is not known here.
    package init(error: WireError, sequence: UInt64?, isFatal: Bool) {
        self.error = error
        self.sequence = sequence
        self.isFatal = isFatal
    }
}

/// The end of a stream that its client ended.
public struct EndLine: Sendable, Hashable {
    /// The number of the `end` message.
    public var sequence: UInt64
    /// Frames that were answered on this connection.
    public var frames: UInt64

    /// The answer to the `end` numbered `sequence`.
    public init(sequence: UInt64, frames: UInt64) {
        self.sequence = sequence
        self.frames = frames
    }
}

/// That the server stops: it answers what it has taken, takes no more, and closes.
public struct GoAway: Sendable, Hashable {
    /// How long the client has for its last lines, in milliseconds.
    public var graceMilliseconds: Int

    /// A farewell.
    public init(graceMilliseconds: Int) { self.graceMilliseconds = graceMilliseconds }
}
