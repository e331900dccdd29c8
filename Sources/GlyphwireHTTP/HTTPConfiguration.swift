/// All that can be set about the HTTP side of a server; its tokens and TLS are those of the server.
public struct HTTPConfiguration: Sendable {
    /// The address to listen on.
    ///
    /// Default `127.0.0.1`: only programs of the same machine can connect.
    public var host: String
    /// The TCP port to listen on; 0 takes any that is free.
    ///
    /// Default 7412.
    public var port: Int
    /// Live pages that may be open at a time.
    ///
    /// Default 16: each may have one frame of every stream on its way.
    public var maxPages: Int
    /// Bytes that the body of a request may have.
    ///
    /// Default 40 MiB: a picture in base64 takes a third more than its file.
    public var maxBodyBytes: Int

    /// The origins of web pages that may use this server, as browsers ask for them by CORS.
    ///
    /// Default none: pages of this server alone.
    public var allowedOrigins: AllowedOrigins

    /// The defaults.
    public init(host: String = "127.0.0.1", port: Int = 7412) {
        self.host = host
        self.port = port
        self.maxPages = 16
        self.maxBodyBytes = 40 << 20
        self.allowedOrigins = .none
    }
}
