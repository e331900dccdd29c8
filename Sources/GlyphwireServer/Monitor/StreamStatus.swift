public import GlyphwireProtocol
public import TextModel

/// Status of one connection.
public struct StreamStatus: Sendable {
    /// The number of the connection: counted from 1 since the server started, never used twice.
    public var id: UInt64
    /// The client's address, with its port.
    public var peer: String
    /// Whether the client has shown a token, where one is required.
    public var isAuthenticated: Bool
    /// The options in force, without the token.
    public var configuration: StreamConfiguration
    /// The time since the connection was accepted.
    public var connected: Duration
    /// The time since the last frame was received; `nil` before the first.
    public var idle: Duration?
    /// Frames that were received.
    public var received: Int
    /// Frames that were read.
    public var ok: Int
    /// Frames that were answered with an error.
    public var failed: Int
    /// Frames that a newer one superseded.
    public var dropped: Int
    /// Frames that were older than their deadline.
    public var expired: Int
    /// Warnings of its results, by code.
    public var warnings: [FrameWarning.Code: Int]
    /// Frames received per second, over the last ten seconds.
    public var receivedRate: Double
    /// Frames read per second, over the last ten seconds.
    public var readRate: Double
    /// Bytes received from the client.
    public var receivedBytes: Int
    /// Bytes of lines sent to the client.
    public var sentBytes: Int
    /// The last frame or message that was refused; `nil` while there is none.
    public var lastError: StreamError?
    /// The age of the last frame when it was answered, in milliseconds, where it is known.
    public var ageMilliseconds: Int?
    /// The stage times of the last frame that was read.
    public var timings: FrameTimings?

    /// Frames that are not answered yet.
    public var unanswered: Int { self.received - self.ok - self.failed - self.dropped - self.expired }
}

/// Error of a stream: a frame or message that was refused.
public struct StreamError: Sendable {
    /// The code and the message that the client got.
    public var error: WireError
    /// The time since it was sent.
    public var elapsed: Duration
}
