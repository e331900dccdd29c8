package import GlyphwireServer

/// Configuration of the HTTP service; tokens are those of the server.
package struct HTTPConfiguration: Sendable {
    /// Address to listen on.
    ///
    /// Default `127.0.0.1`: only programs on the same machine can connect.
    package var host: String
    /// TCP port to listen on; 0 takes any free one.
    ///
    /// Default 7412.
    package var port: Int
    /// Maximum number of open connections, of which one address may have three quarters.
    ///
    /// Default 256. Further ones are answered `503`.
    package var maxConnections: Int
    /// Maximum number of open live pages.
    ///
    /// Default 16: each may have one frame of every stream in flight.
    package var maxPages: Int
    /// Maximum size of a request's body in bytes.
    ///
    /// Default 40 MiB: a picture in base64 is a third larger than its file.
    package var maxBodyBytes: Int
    /// Maximum time for which a connection has no further request.
    ///
    /// Default 60 s. The other times are those of the server's ``ServerLimits``.
    package var idleTime: Duration

    /// The origins of web pages that CORS allows to use this server.
    ///
    /// Default none: only pages of this server.
    package var allowedOrigins: AllowedOrigins

    /// TLS of this service alone.
    ///
    /// Default `nil`: that of the server, if it has it.
    package var tls: TLSFiles?

    /// Creates a configuration, each value with its default.
    package init(host: String = "127.0.0.1", port: Int = 7412) {
        self.host = host
        self.port = port
        self.maxConnections = 256
        self.maxPages = 16
        self.maxBodyBytes = 40 << 20
        self.idleTime = .seconds(60)
        self.allowedOrigins = .none
    }
}
