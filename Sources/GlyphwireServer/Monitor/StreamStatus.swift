package import GlyphwireProtocol
package import TextModel

/// Status of one connection.
package struct StreamStatus: Sendable {
    /// Number of the connection, counted from 1 since the server started and never reused.
    package var id: UInt64
    /// Client's address, with its port.
    package var peer: String
    /// Whether the client is authenticated, or need not be.
    package var isAuthenticated: Bool
    /// Options in effect, without the token.
    package var configuration: StreamConfiguration
    /// Time since the connection was accepted.
    package var connected: Duration
    /// Time since the last frame was received; `nil` before the first.
    package var idle: Duration?
    /// Number of received frames.
    package var received: Int
    /// Answered frames by status.
    package var frames: FramesByStatus
    /// Number of errors by code: of frames, and of other messages.
    package var errors: [WireError.Code: Int]
    /// Number of warnings by code.
    package var warnings: [FrameWarning.Code: Int]
    /// Frames received per second over the last ten seconds.
    package var receivedRate: Double
    /// Frames read per second over the last ten seconds.
    package var readRate: Double
    /// Number of bytes received from the client.
    package var receivedBytes: Int
    /// Number of bytes of lines sent to the client.
    package var sentBytes: Int
    /// Error of the last refused frame or message; `nil` if there is none.
    package var lastError: StreamError?
    /// Age of the last answered frame in milliseconds; `nil` if unknown.
    package var ageMilliseconds: Int?
    /// Stage times of the last frame that was read.
    package var timings: FrameTimings?

    /// Number of unanswered frames.
    package var unanswered: Int { self.received - self.frames.total }
}

/// Error of a stream: a frame or message that was refused.
package struct StreamError: Sendable {
    /// The code and the message that the client got.
    package var error: WireError
    /// The time since it was sent.
    package var elapsed: Duration
}
