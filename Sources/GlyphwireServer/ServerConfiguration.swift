public import GlyphwireProtocol
internal import NIOCore

/// All that can be set about a server.
public struct ServerConfiguration: Sendable {
    /// The address to listen on.
    ///
    /// Default `127.0.0.1`: only programs of the same machine can connect.
    public var host: String
    /// The TCP port to listen on; 0 takes any that is free.
    ///
    /// Default 7411.
    public var port: Int
    /// Threads that decode and read frames.
    ///
    /// Default: one for each core that this process may use.
    public var workers: Int
    /// What a client gets that does not configure its stream, and where its `configure` says nothing.
    ///
    /// Default: the protocol's defaults.
    public var stream: StreamConfiguration
    /// Frames of one connection that may be unanswered at a time; no more is read from its socket meanwhile.
    ///
    /// Default 4: two workers are busy with one connection while its next frames are on their way, and the memory of a
    /// connection is bounded by five messages and 256 KiB, which is what one turn of reading brings at most.
    public var window: Int
    /// Messages of one connection, frames among them, that may be unanswered at a time.
    ///
    /// Default 16: a ping is answered beside a full window.
    public var maxUnansweredMessages: Int
    /// Bytes written to one connection and not yet taken by the system, past which no message is taken from it.
    ///
    /// Default 256 KiB.
    public var maxUnsentBytes: Int
    /// Bytes of a message from a client that has yet to show its token.
    ///
    /// Default 16 KiB: strangers cannot make the server hold more than that takes.
    public var maxUnauthenticatedBytes: Int
    /// What a message and a frame may measure.
    public var limits: WireLimits
    /// The secret that the first message of every connection must show.
    ///
    /// Default `nil`: there is none.
    public var token: String?
    /// How long clients have for their last lines when the server stops; what is open then is cut.
    ///
    /// Default 10 s.
    public var drainTimeout: Duration

    /// The defaults.
    public init() {
        self.host = "127.0.0.1"
        self.port = 7411
        self.workers = System.coreCount
        self.stream = StreamConfiguration()
        self.window = 4
        self.maxUnansweredMessages = 16
        self.maxUnsentBytes = 256 << 10
        self.maxUnauthenticatedBytes = 16 << 10
        self.limits = WireLimits()
        self.token = nil
        self.drainTimeout = .seconds(10)
    }
}
