public import GlyphwireProtocol
internal import TextModel
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
    /// What nobody gets past.
    public var limits: ServerLimits
    /// The secrets of which the first message of every connection must show one.
    ///
    /// Default none: everyone is served.
    public var tokens: [AccessToken]
    /// The files that TLS is spoken with; `nil`, the default, speaks plain TCP.
    public var tls: TLSFiles?
    /// Whether every connection begins with a PROXY header, of version 1 or 2, that tells where the client comes from.
    ///
    /// Default `false`. Whoever reaches the address can then claim to be anybody, so only the proxy may.
    public var isBehindProxy: Bool
    /// Whether everyone who can reach the address may use the server, without a token, from other machines too.
    ///
    /// Default `false`: without a token, a server does not start on an address that other machines can reach.
    public var isInsecure: Bool
    /// How long clients have for their last lines when the server stops; what is open then is cut.
    ///
    /// Default 10 s. Frames that have not been read a second before that, or a quarter of a shorter time, are answered with an
    /// error.
    public var grace: Duration

    /// The defaults.
    public init() {
        self.host = "127.0.0.1"
        self.port = 7411
        self.workers = System.coreCount
        self.stream = StreamConfiguration()
        self.limits = ServerLimits()
        self.tokens = []
        self.isInsecure = false
        self.tls = nil
        self.isBehindProxy = false
        self.grace = .seconds(10)
    }

    /// How much of ``grace`` has passed when frames that have not been read are given up.
    var readingGrace: Duration { self.grace - min(.seconds(1), self.grace / 4) }
}
