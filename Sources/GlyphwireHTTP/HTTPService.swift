internal import FramePipeline
package import GlyphwireServer
internal import Hummingbird
internal import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// HTTP service of a server: health, metrics, streams, live page, and the Google Cloud Vision interface.
///
/// Run it in the `ServiceGroup` of its ``GlyphwireServer`` and before it, so that it reports a drain until the server
/// has finished. It uses the server's tokens, and its TLS files unless it has others.
package struct HTTPService: Service {
    /// Time for responses in flight when the service stops, within the server's grace period.
    private static let stopTimeout = Duration.seconds(2)

    private let configuration: HTTPConfiguration
    private let server: GlyphwireServer
    private let monitor: ServerMonitor
    private let feed: LiveFeed
    private let streams: ReadStreams
    private let connections: HTTPConnections
    private let accounting: HTTPAccounting
    private let metrics: PrometheusMetrics
    /// Threads that decode pictures; they run with the service.
    private let decodingThreads: NIOThreadPool
    /// TLS of this service alone.
    private let tls: TLSContextProvider
    private let logger: Logger
    private let onListening: @Sendable (SocketAddress) -> Void

    /// Creates a service that is not running yet.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - server: The server to report on.
    ///   - metrics: The metrics of `/metrics`, which the server records as well.
    ///   - logger: The logger for warnings.
    ///   - onListening: Called once with the address when the service listens.
    package init(
        configuration: HTTPConfiguration = HTTPConfiguration(),
        server: GlyphwireServer,
        metrics: PrometheusMetrics,
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.server = server
        self.monitor = server.monitor
        self.feed = LiveFeed(
            monitor: server.monitor,
            maxPages: configuration.maxPages,
            maxMemoryBytes: server.limits.maxMemoryBytes,
            openPages: metrics.meter(.livePages)
        )
        self.streams = ReadStreams(server: server)
        self.connections = HTTPConnections(maxConnections: configuration.maxConnections)
        self.accounting = HTTPAccounting(log: server.peerLog, metrics: metrics)
        self.metrics = metrics
        self.decodingThreads = NIOThreadPool(
            numberOfThreads: PictureReader.threadCount(workers: server.monitor.workers, cores: SystemCores.count)
        )
        self.tls = TLSContextProvider(files: configuration.tls, metrics: metrics)
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a shutdown.
    ///
    /// - Throws: ``GlyphwireServerError`` if it cannot start.
    package func run() async throws {
        var logger = self.logger
        // `onListening` reports the address, and `accounting` what is refused.
        logger.logLevel = max(logger.logLevel, .warning)
        try self.readTLSFiles()
        let application = Application(
            router: self.router(),
            server: HTTPServerBuilder { responder in self.channel(responder) },
            configuration: ApplicationConfiguration(
                address: .hostname(self.configuration.host, port: self.configuration.port),
                serverName: "glyphwire/\(GlyphwireServer.version)"
            ),
            onServerRunning: { channel in
                if let address = channel.localAddress { self.onListening(address) }
            },
            logger: logger
        )
        self.decodingThreads.start()
        // No request is left that would wait for them.
        defer { self.decodingThreads.shutdownGracefully { _ in } }
        do {
            try await self.run(application)
        } catch let error as IOError {
            throw GlyphwireServerError.cannotListen(
                host: self.configuration.host,
                port: self.configuration.port,
                underlying: error
            )
        }
    }

    /// Reloads the TLS files of this service alone; open connections keep their certificate.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous ones remain in use.
    package func readTLSFiles() throws(GlyphwireServerError) { try self.tls.reload() }

    /// Channel of a connection: limited, encrypted if the server has TLS, and closed as the client expects.
    ///
    /// From the socket on its handlers are, in this order, with the channel that adds them where it is not Hummingbird's:
    ///
    ///     WriteStallHandler            TimedChannel
    ///     NIOSSLServerHandler          SecuredChannel, with TLS
    ///     BytesAccountingHandler       AccountedChannel
    ///     RequestBytesHandler          TimedChannel
    ///     HTTP decoder and encoder
    ///     HostHandler                  EndingChannel
    ///     ConnectionEndHandler         EndingChannel
    ///     DisconnectHandler            EndingChannel
    ///     ResponseAccountingHandler    AccountedChannel
    ///     HTTP1ToHTTPServerCodec
    ///     ContinueHandler              below
    ///     RequestTimeoutHandler        below
    ///     HTTPConnectionStateHandler
    ///
    /// ``LimitedChannel`` adds none: it counts the connection before the others see it.
    private func channel(_ responder: @escaping HTTPChannelHandler.Responder) -> some ServerChildChannel {
        let limits = self.server.limits
        let timeouts = RequestTimeouts(
            firstRequestTime: limits.firstMessageTime,
            requestTime: limits.messageTime,
            idleTime: self.configuration.idleTime
        )
        let http = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [
                    ContinueHandler(maxBodyBytes: self.configuration.maxBodyBytes),
                    RequestTimeoutHandler(timeouts: timeouts),
                ]
            )
        )
        let ending = EndingChannel(base: http, connections: self.connections)
        let timed = TimedChannel(base: ending, limits: limits)
        let accounted = AccountedChannel(base: timed, accounting: self.accounting)
        let secured = SecuredChannel(base: accounted, tls: { self.tls.current ?? self.server.tls })
        return LimitedChannel(base: secured, connections: self.connections, accounting: self.accounting)
    }

    /// Runs the application; a shutdown closes pages, and soon after the connections that are left.
    private func run(_ application: some ApplicationProtocol) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            tasks.addTask {
                // Cancelled when the application has ended.
                try? await gracefulShutdown()
                self.feed.close()
                try? await Task.sleep(for: min(Self.stopTimeout, self.server.graceLeft))
                self.connections.closeAll()
            }
            tasks.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    self.feed.showStreams()
                    self.streams.closeIdle()
                    self.feed.closePages(checkedBefore: self.server.tokenChanges)
                }
            }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private func router() -> Router<HTTPRequestContext> {
        let routes = self.routes()
        let endpoints = Endpoints(routes.map(\.endpoint))
        let router = Router(context: HTTPRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: HeadMiddleware())
        let origins = self.configuration.allowedOrigins
        if !origins.isEmpty { router.add(middleware: CrossOriginMiddleware(origins: origins, endpoints: endpoints)) }
        router.add(middleware: UnknownPathMiddleware(endpoints: endpoints))
        routes.add(.always, to: router)
        let limit = ConnectionLimitMiddleware(
            endpoints: endpoints,
            connections: self.connections,
            refusals: self.metrics.counter(.refusedHTTPRequests)
        )
        router.add(middleware: limit)
        routes.add(.connection, to: router)
        let access = AccessMiddleware(
            configuration: self.configuration,
            server: self.server,
            endpoints: endpoints,
            refusals: self.metrics.counter(.refusedTokens, ["port": "http"])
        )
        routes.add(.token, to: router.group().add(middleware: access))
        return router
    }

    /// All routes, in the order in which they are listed for people.
    private func routes() -> [Route] {
        let live = LivePageRoutes(feed: self.feed)
        let health = HealthRoutes(monitor: self.monitor)
        let metrics = MetricsRoutes(metrics: self.metrics, monitor: self.monitor)
        let bodies = RequestBodyReader(maxByteCount: self.configuration.maxBodyBytes)
        let pictures = PictureReader(workers: self.monitor.workers, threads: self.decodingThreads)
        let connections = self.connections
        let read = ReadRoutes(
            server: self.server,
            connections: connections,
            bodies: bodies,
            pictures: pictures,
            streams: self.streams
        )
        let vision = CloudVisionRoutes(
            server: self.server,
            connections: connections,
            bodies: bodies,
            pictures: pictures
        )
        return [
            live.page, .cameraPage, live.events, health.liveness, health.readiness, metrics.route,
            StreamRoutes(monitor: self.monitor).route, read.route, vision.route, live.icon,
        ]
    }
}
