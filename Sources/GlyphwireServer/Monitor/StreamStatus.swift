public import GlyphwireProtocol
public import TextModel

/// One connection, as it is now.
public struct StreamStatus: Sendable {
    /// Its number: counted from 1 since the server started, never used twice.
    public var id: UInt64
    /// The address that it comes from, with its port.
    public var peer: String
    /// Whether it has shown the token, where one is asked for.
    public var isAuthenticated: Bool
    /// What it has configured; the token is not in it.
    public var configuration: StreamConfiguration
    /// How long it has been open.
    public var connected: Duration
    /// How long ago its last frame came in; `nil` before the first.
    public var idle: Duration?
    /// Frames that came in.
    public var received: Int
    /// Frames that were read.
    public var ok: Int
    /// Frames that were answered with an error.
    public var failed: Int
    /// Frames that a newer one took the place of.
    public var dropped: Int
    /// Frames that were older than their deadline.
    public var expired: Int
    /// Warnings that its results had, by their code.
    public var warnings: [FrameWarning.Code: Int]
    /// Frames that came in each second, over the last ten.
    public var receivedRate: Double
    /// Frames that were read each second, over the last ten.
    public var readRate: Double
    /// Bytes that it sent.
    public var receivedBytes: Int
    /// Bytes of lines for it.
    public var sentBytes: Int
    /// How old its last frame was when it was answered, in milliseconds, where that is known.
    public var ageMilliseconds: Int?
    /// How long the stages of the last frame took that was read.
    public var timings: FrameTimings?

    /// Frames that came in and have no answer yet.
    public var unanswered: Int { self.received - self.ok - self.failed - self.dropped - self.expired }
}
