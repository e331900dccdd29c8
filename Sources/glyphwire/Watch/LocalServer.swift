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
        let page: (any Service)? = http.map { http in
            HTTPService(configuration: http, server: server, metrics: metrics, logger: serverLogger) { address in
                let scheme = http.tls == nil ? "http" : "https"
                let url = "\(scheme)://\(http.host):\(address.port ?? 0)/"
                logger.notice("streams are shown", metadata: ["address": "\(url)"])
            }
        }
        let services = [page, server].compactMap(\.self)
        self.group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: serverLogger))
    }

    /// Replaces the tokens of a server that requires one.
    func replace(tokens: [AccessToken]) { self.server.replace(tokens: tokens) }

    /// Runs the server until `body` returns.
    ///
    /// - Parameter body: Takes the address of the server.
    /// - Returns: What `body` returns.
    /// - Throws: The error of a server that cannot start, or what `body` throws.
    func run<Value: Sendable>(_ body: (ServerAddress) async throws -> [Value]) async throws -> [Value] {
        let (group, ended) = (self.group, self.ended)
        let serving = Task {
            defer { ended.finish() }
            try await group.run()
        }
        let result: Result<[Value], any Error>
        do {
            let address = await self.addresses.first { _ in true }
            // Without an address, the server cannot start, or the task was cancelled before.
            guard let port = address?.port else { throw CancellationError() }
            result = .success(try await body(ServerAddress(host: "127.0.0.1", port: port)))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await serving.value
        return try result.get()
    }
}
