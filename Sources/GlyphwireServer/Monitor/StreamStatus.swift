public import GlyphwireProtocol
public import TextModel

/// Status of one connection.
public struct StreamStatus: Sendable {
    /// Number of the connection, counted from 1 since the server started and never reused.
    public var id: UInt64
    /// Client's address, with its port.
    public var peer: String
    /// Whether the client is authenticated, or need not be.
    public var isAuthenticated: Bool
    /// Options in effect, without the token.
    public var configuration: StreamConfiguration
    /// Time since the connection was accepted.
    public var connected: Duration
    /// Time since the last frame was received; `nil` before the first.
    public var idle: Duration?
    /// Number of received frames.
    public var received: Int
    /// Answered frames by status.
    public var frames: FramesByStatus
    /// Number of errors by code: of frames, and of other messages.
    public var errors: [WireError.Code: Int]
    /// Number of warnings by code.
    public var warnings: [FrameWarning.Code: Int]
    /// Frames received per second over the last ten seconds.
    public var receivedRate: Double
    /// Frames read per second over the last ten seconds.
    public var readRate: Double
    /// Number of bytes received from the client.
    public var receivedBytes: Int
    /// Number of bytes of lines sent to the client.
    public var sentBytes: Int
    /// Error of the last refused frame or message; `nil` if there is none.
    public var lastError: StreamError?
    /// Age of the last answered frame in milliseconds; `nil` if unknown.
    public var ageMilliseconds: Int?
    /// Stage times of the last frame that was read.
    public var timings: FrameTimings?

    /// Number of unanswered frames.
    public var unanswered: Int { self.received - self.frames.total }
}

/// Error of a stream: a frame or message that was refused.
public struct StreamError: Sendable {
    /// The code and the message that the client got.
    public var error: WireError
    /// The time since it was sent.
    public var elapsed: Duration
}
