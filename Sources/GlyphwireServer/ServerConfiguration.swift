internal import FramePipeline
package import GlyphwireProtocol
internal import TextModel

/// Configuration of a server.
package struct ServerConfiguration: Sendable {
    /// Address to listen on.
    ///
    /// Default `127.0.0.1`: only programs on the same machine can connect.
    package var host: String
    /// TCP port to listen on; 0 takes any free one.
    ///
    /// Default 7411.
    package var port: Int
    /// Number of threads that decode and read frames.
    ///
    /// Default: one per core available to this process.
    package var workers: Int
    /// Options of streams without a `configure`, and values of options that a `configure` omits.
    ///
    /// Default: the protocol's defaults.
    package var stream: StreamConfiguration
    /// Limits of all clients.
    package var limits: ServerLimits
    /// Tokens, one of which the first message of every connection must contain.
    ///
    /// Default none: every client is served.
    package var tokens: [AccessToken]
    /// TLS files; `nil`, the default, serves plain TCP.
    package var tls: TLSFiles?
    /// Whether every connection begins with a PROXY header of version 1 or 2.
    ///
    /// Default `false`. A header can claim any client address, so only the proxy may be able to reach the port.
    package var isBehindProxy: Bool
    /// Whether clients on other machines are served without a token.
    ///
    /// Default `false`: without a token, a server does not start on an address that other machines can reach.
    package var isInsecure: Bool
    /// Time for clients to receive their last lines at shutdown; then open connections are closed.
    ///
    /// Default 10 s. A second before its end, or a quarter of a shorter time, unread frames are answered with an error.
    package var grace: Duration

    /// Creates a configuration, each value with its default.
    package init() {
        self.host = "127.0.0.1"
        self.port = 7411
        self.workers = SystemCores.count
        self.stream = StreamConfiguration()
        self.limits = ServerLimits()
        self.tokens = []
        self.isInsecure = false
        self.tls = nil
        self.isBehindProxy = false
        self.grace = .seconds(10)
    }

    /// Part of ``grace`` after which unread frames are abandoned.
    var readingGrace: Duration { self.grace - min(.seconds(1), self.grace / 4) }
}
