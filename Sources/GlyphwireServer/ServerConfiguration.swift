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
    /// Frames of one connection that may be unanswered at a time where every frame is to be read; no more is read from
    /// its socket meanwhile.
    ///
    /// Default: two more than there are workers by default, so that one connection can keep all of them busy while its
    /// next frames are on their way; but no more than 16, since the memory of a connection is bounded by so many messages,
    /// the one that is coming in, and 256 KiB, which is what one turn of reading brings at most.
    public var window: Int
    /// Messages of one connection, frames among them, that may be unanswered at a time; no more is read from its socket
    /// meanwhile.
    ///
    /// Default 128. Frames that a newer one took the place of have their lines wait behind the frame in work: this is how
    /// many can come in one frame's time, two seconds at 60 a second.
    public var maxUnansweredMessages: Int
    /// Bytes written to one connection and not yet taken by the system, past which no message is taken from it.
    ///
    /// Default 256 KiB.
    public var maxUnsentBytes: Int
    /// How long a client may leave lines untaken; one that takes not a byte of them for so long is shown out.
    ///
    /// Default 60 s.
    public var slowReaderTimeout: Duration
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
        self.window = min(System.coreCount + 2, 16)
        self.maxUnansweredMessages = 128
        self.maxUnsentBytes = 256 << 10
        self.slowReaderTimeout = .seconds(60)
        self.maxUnauthenticatedBytes = 16 << 10
        self.limits = WireLimits()
        self.token = nil
        self.drainTimeout = .seconds(10)
    }
}
