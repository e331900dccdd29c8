package import CoreMetrics
internal import GlyphwireProtocol
package import Logging
internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix
package import NIOSSL
internal import ServiceLifecycle
internal import SystemSupport
package import TextRecognition

/// Server that receives frames over TCP and answers each with a line of JSON.
///
/// Run it in a `ServiceGroup`: a graceful shutdown stops accepting connections and messages, sends every client a `goaway`,
/// answers every frame that was accepted, and closes. Cancelling its task closes at once.
package struct GlyphwireServer: Service {
    /// The version of this software.
    package static let version = SoftwareVersion.current

    /// Time after which certificates and tokens are checked again whether they expire soon.
    private static let expiryCheckTime = TimeAmount.hours(24)

    private let components: ServerComponents
    private let onListening: @Sendable (SocketAddress) -> Void

    /// Creates a server that is not running yet.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - engine: The engine that reads frames; each worker creates its own reader from it, on its own thread.
    ///   - logger: The logger, for a line per connection and for what needs an operator.
    ///   - metrics: The factory of the metrics, by default the one that swift-metrics was bootstrapped with.
    ///   - onListening: Called once with the address when the server listens.
    package init(
        configuration: ServerConfiguration = ServerConfiguration(),
        engine: any ReadingEngine,
        logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory,
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        self.components = ServerComponents(
            configuration: configuration,
            engine: engine,
            logger: logger,
            metrics: metrics
        )
        self.onListening = onListening
    }

    /// Monitor of this server, usable before, while and after it runs.
    package var monitor: ServerMonitor { ServerMonitor(self.components) }

    /// Creates a reader through which this process has the server's workers read frames.
    ///
    /// - Returns: A reader whose frames are scheduled fairly with those of connections and other readers.
    package func makeLocalReader() -> LocalReader { self.components.makeLocalReader(meters: self.components.meters) }

    /// Opens a stream through which this process has the server's workers read frames.
    ///
    /// - Parameter peer: What its ``StreamStatus/peer`` has in place of an address.
    /// - Returns: A stream, to be closed by ``LocalStream/close()``.
    package func openLocalStream(peer: String) -> LocalStream { LocalStream(peer: peer, components: self.components) }

    /// Serves until a shutdown.
    ///
    /// - Throws: ``GlyphwireServerError`` if the server cannot start.
    package func run() async throws {
        try Self.requireProtection(self.components.configuration)
        try self.readTLSFiles()
        self.components.warn(of: self.components.access.credentials)
        let group = MultiThreadedEventLoopGroup.singleton
        let workers = try WorkerPool(
            count: self.components.configuration.workers,
            queue: self.components.queue,
            engine: self.components.engine,
            limits: self.components.configuration.limits.wire,
            on: group.next()
        )
        guard await self.testWorkers(on: group.next()) else {
            self.beginDraining()
            self.reportStop()
            return await self.stopUnused(workers)
        }
        let listener: any Channel
        do throws(GlyphwireServerError) {
            listener = try await self.listen(on: group)
        } catch {
            await self.stopUnused(workers)
            throw error
        }
        await self.serve(listener, with: workers)
    }

    /// Validates a configuration without starting: its TLS files and the protection of its address.
    ///
    /// - Parameter configuration: Configuration of a server.
    /// - Throws: ``GlyphwireServerError`` if the server would not start.
    package static func validate(_ configuration: ServerConfiguration) throws(GlyphwireServerError) {
        try Self.requireProtection(configuration)
        _ = try configuration.tls?.context()
    }

    /// Replaces the tokens and closes connections authenticated by a removed one.
    ///
    /// - Parameter tokens: At least one if there was one when the server started, and none if there was none.
    package func replace(tokens: [AccessToken]) {
        guard self.requiresToken == !tokens.isEmpty else { return }
        self.components.access.replace(with: tokens)
        self.components.connections.tokensChanged()
        self.components.warn(of: self.components.access.credentials)
    }

    /// Whether clients must send a token.
    package var requiresToken: Bool { self.components.access.isRequired }

    /// Checks the token of an HTTP request, which does not count as a connection.
    ///
    /// - Parameters:
    ///   - secret: The token as received.
    ///   - client: The client's address, of which wrong tokens are counted.
    /// - Returns: The token.
    /// - Throws: Why it is refused.
    package func authenticate(_ secret: String, from client: SocketAddress?) throws(TokenRefusal) -> AccessToken {
        let limitKey = client?.limitKey ?? "unknown"
        do throws(WireError) {
            try self.components.wrongTokens.check(limitKey)
        } catch {
            throw TokenRefusal(error: error)
        }
        switch self.components.access.check(secret, at: WallClock.seconds) {
        case .granted(let token): return token
        case .refused(let known, let refusal): throw TokenRefusal(error: refusal.error, known: known)
        case .wrong:
            self.components.wrongTokens.add(secret, from: limitKey)
            throw TokenRefusal(
                error: WireError(.authFailed, "the token is not valid; ask the server's operator for the right one")
            )
        }
    }

    /// Log of what clients of either port cause.
    package var peerLog: PeerLog { self.components.peerLog }

    /// Limits of all clients.
    package var limits: ServerLimits { self.components.configuration.limits }

    /// Number of times that tokens were replaced or expired.
    package var tokenChanges: Int { self.components.access.changes }

    /// Rest of a shutdown's grace period: all of it before the shutdown, negative afterwards.
    package var graceLeft: Duration {
        guard case .draining(let end) = self.components.phase.withLockedValue(\.self) else {
            return self.components.configuration.grace
        }
        return ContinuousClock.now.duration(to: end)
    }

    /// TLS context for new connections; `nil` without TLS.
    package var tls: NIOSSLContext? { self.components.tls.current }

    /// Reloads the TLS files; open connections keep their certificate.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; the previous ones remain in use.
    package func readTLSFiles() throws(GlyphwireServerError) {
        try self.components.tls.reload()
        self.components.warn(of: self.components.tls.credentials)
    }

    /// Rejects an address that other machines can reach without a token, client certificates or explicit permission.
    private static func requireProtection(_ configuration: ServerConfiguration) throws(GlyphwireServerError) {
        let (host, port) = (configuration.host, configuration.port)
        guard configuration.tokens.isEmpty, configuration.tls?.clientAuthorities == nil, !configuration.isInsecure
        else {
            return
        }
        // An address that does not resolve is reported when the server listens on it.
        guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port), !address.isLoopback else {
            return
        }
        throw GlyphwireServerError(
            .unprotected,
            "Will not listen on \(String(host: host, port: port)) without a token, where anyone who can reach it could have frames "
                + "read: set a token file, listen on 127.0.0.1, or allow it explicitly "
                + "(--insecure)."
        )
    }

    /// Makes the workers read the self-test frame, so that readiness is known when the server begins to listen.
    ///
    /// A server that fails the test, or has not ended it after a minute, listens nevertheless, and `/readyz` reports the reason.
    ///
    /// - Returns: Whether the server is to listen; `false` if it was stopped meanwhile.
    private func testWorkers(on eventLoop: any EventLoop) async -> Bool {
        guard let test = self.components.runSelfTest() else { return true }
        guard let readiness = await SelfTest.outcome(of: test, on: eventLoop) else { return false }
        if case .failing(let reason) = readiness {
            self.components.logger.error("self-test failed", metadata: [LogKeys.reason: "\(reason)"])
        }
        return true
    }

    /// Stops the workers of a server that does not listen, without waiting for one that may hang in the self-test.
    private func stopUnused(_ workers: WorkerPool) async {
        if self.components.selfTest.isRunning { workers.abandonFrames() }
        await workers.stop()
    }

    /// Begins the grace period, which readiness, metrics and the errors of HTTP report from then on.
    private func beginDraining() {
        let components = self.components
        components.phase.withLockedValue { $0 = .draining(until: .now + components.configuration.grace) }
        components.meters.metrics.draining.set(1)
    }

    /// Logs that the server stops.
    private func reportStop() {
        self.components.logger.info(
            "server stops",
            metadata: [LogKeys.connections: .stringConvertible(self.components.connections.count)]
        )
    }

    /// Accepts connections until a shutdown, then drains them.
    private func serve(_ listener: any Channel, with workers: WorkerPool) async {
        let components = self.components
        let checks = listener.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(1)) { _ in
            if components.access.hasExpiredToken(at: WallClock.seconds) { components.connections.tokensChanged() }
            components.peerLog.reportExcess(at: .now)
        }
        let warnings = listener.eventLoop.scheduleRepeatedTask(
            initialDelay: Self.expiryCheckTime,
            delay: Self.expiryCheckTime
        ) { _ in components.warn(of: components.tls.credentials + components.access.credentials) }
        defer {
            checks.cancel()
            warnings.cancel()
            components.peerLog.reportRest()
        }
        components.phase.withLockedValue { $0 = .listening }
        if let address = listener.localAddress { self.onListening(address) }
        await withTaskCancellationOrGracefulShutdownHandler {
            // The future of a closed channel never fails.
            try? await listener.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            self.beginDraining()
            listener.close(promise: nil)
        }
        self.reportStop()
        let lastCall = listener.eventLoop.scheduleTask(in: TimeAmount(components.configuration.readingGrace)) {
            workers.abandonFrames()
        }
        defer { lastCall.cancel() }
        await components.connections.drain(
            deadline: TimeAmount(components.configuration.grace),
            on: listener.eventLoop
        )
        await withTaskCancellationHandler {
            await workers.stop()
        } onCancel: {
            workers.abandonFrames()
        }
    }

    private func listen(on group: any EventLoopGroup) async throws(GlyphwireServerError) -> any Channel {
        let (meters, connections) = (self.components.meters, self.components.connections)
        let limits = self.components.configuration.limits
        let factory = ConnectionFactory(self.components)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOptions(TCPKeepAlive(time: limits.peerTime))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.tcpOption(UnsentLimit.option), value: UnsentLimit.byteCount)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: limits.maxUnsentBytes / 2, high: limits.maxUnsentBytes)
            )
            .childChannelInitializer { channel in
                meters.metrics.acceptedConnections.increment()
                // Connections beyond the limit get an error, and those far beyond it are closed without one.
                guard connections.count < limits.maxConnections + limits.maxRefusedConnections else {
                    meters.connectionEnded(.tooManyConnections)
                    return channel.close()
                }
                return channel.eventLoop.makeCompletedFuture { try factory.install(on: channel) }
            }
        let (host, port) = (self.components.configuration.host, self.components.configuration.port)
        do {
            return try await bootstrap.bind(host: host, port: port).get()
        } catch {
            throw .cannotListen(host: host, port: port, underlying: error)
        }
    }
}

extension ServerBootstrap {
    /// Sets the TCP keep-alive of accepted sockets.
    fileprivate func childChannelOptions(_ keepAlive: TCPKeepAlive) -> ServerBootstrap {
        keepAlive.options.reduce(self) { $0.childChannelOption(.tcpOption($1.name), value: $1.value) }
    }
}
