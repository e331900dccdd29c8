public import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Configuration of a server.
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
    /// The options of streams without a `configure`, and of those that a `configure` leaves out.
    ///
    /// Default: the protocol's defaults.
    public var stream: StreamConfiguration
    /// The limits of all clients.
    public var limits: ServerLimits
    /// The tokens, one of which the first message of every connection must show.
    ///
    /// Default none: every client is served.
    public var tokens: [AccessToken]
    /// The files for TLS; `nil`, the default, serves plain TCP.
    public var tls: TLSFiles?
    /// Whether every connection begins with a PROXY header, of version 1 or 2, with the client's address.
    ///
    /// Default `false`. A header can claim any address, so only the proxy may be able to reach the port.
    public var isBehindProxy: Bool
    /// Whether clients on other machines are served without a token.
    ///
    /// Default `false`: without a token, a server does not start on an address that other machines can reach.
    public var isInsecure: Bool
    /// How long clients have for their last lines when the server stops; connections open then are cut.
    ///
    /// Default 10 s. Frames that are not read a second before its end, or a quarter of a shorter time, are answered with an
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

    /// The part of ``grace`` after which frames that are not read yet are given up.
    var readingGrace: Duration { self.grace - min(.seconds(1), self.grace / 4) }
}
