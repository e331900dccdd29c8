internal import GlyphwireProtocol
internal import CommandInput
internal import GlyphwireHTTP
internal import GlyphwireServer
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import TextRecognition

/// Server inside this process, on a free port of the loopback interface.
struct LocalServer: Sendable {
    /// Services, the server last.
    private let group: ServiceGroup
    private let server: GlyphwireServer
    private let page: HTTPService?
    /// Address of the server once it listens; ends without one if it cannot start.
    private let addresses: AsyncStream<SocketAddress>
    private let ended: AsyncStream<SocketAddress>.Continuation

    /// Creates a server that is not running.
    ///
    /// - Parameters:
    ///   - configuration: The server's configuration; its address is replaced.
    ///   - engine: The engine.
    ///   - http: The HTTP service; `nil` for none.
    ///   - logger: The log.
    init(
        _ configuration: ServerConfiguration,
        engine: any ReadingEngine,
        http: HTTPConfiguration?,
        logger: Logger
    ) {
        var configuration = configuration
        (configuration.host, configuration.port) = ("127.0.0.1", 0)
        // A camera may be away for days.
        configuration.limits.idleTime = .seconds(86_400 * 365)
        configuration.limits.maxConnectionsPerAddress = configuration.limits.maxConnections
        configuration.limits.admitUncompressedPictures()
        var serverLogger = logger
        // Its connections are this process's own.
        serverLogger.logLevel = max(logger.logLevel, .warning)
        let (addresses, continuation) = AsyncStream.makeStream(of: SocketAddress.self)
        (self.addresses, self.ended) = (addresses, continuation)
        let metrics = PrometheusMetrics()
        let server = GlyphwireServer(
            configuration: configuration,
            engine: engine,
            logger: serverLogger,
            metrics: metrics,
            onListening: { continuation.yield($0) }
        )
        self.server = server
        self.page = http.map { http in
            HTTPService(configuration: http, server: server, metrics: metrics, logger: serverLogger) { address in
                let scheme = http.tls == nil ? "http" : "https"
                let url = "\(scheme)://\(String(host: http.host, port: address.port ?? 0))/"
                logger.notice("streams are shown", metadata: ["address": "\(url)"])
            }
        }
        let services: [(any Service)?] = [self.page, server]
        self.group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services.compactMap(\.self), logger: serverLogger)
        )
    }

    /// Replaces the tokens of a server that requires one.
    func replace(tokens: [AccessToken]) { self.server.replace(tokens: tokens) }

    /// Reloads the TLS files of the HTTP service; open connections keep their certificate.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous ones remain in use.
    func readTLSFiles() throws(GlyphwireServerError) { try self.page?.readTLSFiles() }

    /// Runs the server until `body` returns, and cancels `body` if the server ends before.
    ///
    /// - Parameter body: Takes the address of the server.
    /// - Returns: What `body` returns; nothing if the task was cancelled before the server listened.
    /// - Throws: The error of a server that cannot start, or has ended, or what `body` throws.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (ServerAddress) async throws -> [Value]
    ) async throws -> [Value] {
        let (group, addresses, ended) = (self.group, self.addresses, self.ended)
        let working = Task<[Value], any Error> {
            let address = await addresses.first { _ in true }
            // Without an address, the server cannot start, or the task was cancelled before.
            guard let port = address?.port else { return [] }
            return try await body(ServerAddress(host: "127.0.0.1", port: port))
        }
        let serving = Task {
            defer {
                ended.finish()
                working.cancel()
            }
            try await group.run()
        }
        let result = await withTaskCancellationHandler {
            await working.result
        } onCancel: {
            working.cancel()
        }
        await group.triggerGracefulShutdown()
        try await serving.value
        return try result.get()
    }
}
