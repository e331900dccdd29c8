internal import CoreMetrics
internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers
internal import SystemSupport
internal import TextRecognition

/// Components of one server, each created once and passed to its users.
final class ServerComponents: Sendable {
    let configuration: ServerConfiguration
    let phase = NIOLockedValueBox(ServerPhase.starting)
    let engine: any ReadingEngine
    let logger: Logger
    let peerLog: PeerLog
    let access: AccessControl
    let limiter: ConnectionLimiter
    /// Limiter of the connections that stay open until their clients have their errors.
    let refusedLimiter: ConnectionLimiter
    let wrongTokens: WrongTokenCounter
    let tls: TLSContextProvider
    let queue: FrameQueue
    let connections: ConnectionRegistry
    /// Budget of bytes for payloads that are received or queued.
    let frameBudget: MemoryBudget
    /// Budget of bytes for the tracking states of all streams.
    let trackingBudget: MemoryBudget
    let meters: ServerMeters
    let watchers = WatcherList()
    let selfTest = SelfTest()

    /// Creates the components of a server.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - engine: The engine that reads frames.
    ///   - logger: The log.
    ///   - factory: The factory of the metrics; none are recorded by default.
    init(
        configuration: ServerConfiguration,
        engine: any ReadingEngine,
        logger: Logger,
        metrics factory: any MetricsFactory = NOOPMetricsHandler.instance
    ) {
        let metrics = ServerMetrics(factory: factory, workers: configuration.workers)
        self.meters = ServerMeters(metrics: metrics)
        self.connections = ConnectionRegistry(openConnections: metrics.connections)
        self.configuration = configuration
        self.engine = engine
        self.logger = logger
        self.peerLog = PeerLog(logger)
        self.access = AccessControl(tokens: configuration.tokens)
        let limits = configuration.limits
        self.limiter = ConnectionLimiter(
            maxConnections: limits.maxConnections,
            maxConnectionsPerAddress: limits.maxConnectionsPerAddress
        )
        self.refusedLimiter = ConnectionLimiter(
            maxConnections: limits.maxRefusedConnections,
            maxConnectionsPerAddress: limits.maxRefusedConnectionsPerAddress
        )
        self.wrongTokens = WrongTokenCounter(limit: limits.maxWrongTokens)
        self.tls = TLSContextProvider(files: configuration.tls, metrics: factory)
        self.frameBudget = MemoryBudget(limit: limits.maxMemoryBytes)
        self.trackingBudget = MemoryBudget(limit: limits.maxMemoryBytes)
        self.queue = FrameQueue(workers: configuration.workers, metrics: metrics.queue)
    }

    /// Statistics of all connections' frames.
    var statistics: NIOLockedValueBox<ServerStatistics> { self.meters.statistics }

    /// Warns of those certificates and tokens that have expired, or soon will.
    func warn(of credentials: [Credential]) {
        for credential in credentials { credential.warn(to: self.logger, at: WallClock.seconds) }
    }

    /// Begins a self-test if one is due.
    ///
    /// - Returns: The test; `nil` if none was due.
    @discardableResult
    func runSelfTest() -> Task<Readiness, Never>? {
        self.selfTest.run(
            on: self.makeLocalReader(id: SelfTest.id, meters: nil),
            options: self.configuration.stream.reading
        )
    }

    /// A reader for frames of this process.
    ///
    /// - Parameters:
    ///   - id: The number under which its frames are scheduled.
    ///   - meters: The meters that count its frames; `nil` counts none.
    /// - Returns: A reader for frames of this process.
    func makeLocalReader(id: ConnectionID = .next(), meters: ServerMeters?) -> LocalReader {
        LocalReader(
            id: id,
            queue: self.queue,
            engine: self.engine,
            limits: self.configuration.limits.wire,
            budget: self.frameBudget,
            meters: meters
        )
    }
}
