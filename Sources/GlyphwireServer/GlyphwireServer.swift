internal import GlyphwireProtocol
public import Logging
internal import NIOConcurrencyHelpers
public import NIOCore
internal import NIOPosix
package import NIOSSL
public import ServiceLifecycle
internal import Synchronization
public import TextRecognition

/// A server that takes frames over TCP and answers each with a line of JSON.
///
/// Run it in a `ServiceGroup`: a graceful shutdown stops taking connections and messages, tells every client, answers
/// every frame that was accepted, and closes. Cancelling its task closes at once.
public struct GlyphwireServer: Service {
    /// The version of this software.
    public static let version = SoftwareVersion.current

    private let core: ServerCore
    private let onListening: @Sendable (SocketAddress) -> Void

    /// A server that is not running yet.
    ///
    /// - Parameters:
    ///   - configuration: All that can be set.
    ///   - engine: What reads the frames; each worker makes a reader of its own from it, on its own thread.
    ///   - logger: Gets a line for each connection, and what an operator can act on.
    ///   - onListening: Called once, when connections are taken, with the address they are taken on.
    public init(
        configuration: ServerConfiguration = ServerConfiguration(),
        engine: any ReadingEngine,
        logger: Logger,
        onListening: @escaping @Sendable (SocketAddress) -> Void = { _ in }
    ) {
        self.core = ServerCore(configuration: configuration, engine: engine, logger: logger)
        self.onListening = onListening
    }

    /// A look into this server, before, while and after it runs.
    public var monitor: ServerMonitor { ServerMonitor(core: self.core) }

    /// A reader for frames of this process, which the server's workers read while it runs.
    ///
    /// - Returns: A reader whose frames take turns with those of connections and of other readers.
    public func makeLocalReader() -> LocalReader { LocalReader(core: self.core) }

    /// Serves until told to stop.
    ///
    /// - Throws: ``GlyphwireServerError`` if it cannot start.
    public func run() async throws {
        try self.refuseToServeEveryone()
        try self.core.readTLSFiles()
        let group = MultiThreadedEventLoopGroup.singleton
        let workers = try WorkerPool(core: self.core, on: group.next())
        do {
            let listener = try await self.listen(on: group)
            await self.serve(listener, with: workers)
        } catch {
            await workers.stop()
            throw error
        }
    }

    /// Lets in by these tokens from now on; connections whose token is not among them are closed.
    ///
    /// - Parameter tokens: At least one if there was one when the server started, and none if there was none.
    public func replace(tokens: [AccessToken]) {
        guard self.core.access.isAsked == !tokens.isEmpty else { return }
        self.core.access.replace(with: tokens)
        self.core.tokensChanged()
    }

    /// Whether clients have to show a token.
    package var asksForToken: Bool { self.core.access.isAsked }

    /// Whether a token that somebody shows elsewhere lets in now; whoever shows it is not counted.
    package func opens(with guess: String) -> Bool { self.core.access.opens(with: guess, at: WallClock.seconds) }

    /// How often it has happened that tokens were replaced, or that one has expired.
    package var tokenChanges: Int { self.core.meters.tokenChanges.load(ordering: .relaxed) }

    /// What is left of the grace since the server was told to stop: all of it before that, less than nothing behind it.
    package var graceLeft: Duration {
        let end = self.core.meters.end.withLockedValue(\.self)
        return end.map { ContinuousClock.now.duration(to: $0) } ?? self.core.configuration.grace
    }

    /// What connections are to be secured with now, if the server speaks TLS.
    package var tls: NIOSSLContext? { self.core.tls }

    /// Reads the files for TLS again; connections that are open keep the certificate that they were made with.
    ///
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used; those that were read before stay in force.
    public func readTLSFiles() throws(GlyphwireServerError) { try self.core.readTLSFiles() }

    /// Refuses an address that other machines can reach where neither a token nor the operator's word stands against it.
    private func refuseToServeEveryone() throws(GlyphwireServerError) {
        let (host, port) = (self.core.configuration.host, self.core.configuration.port)
        guard self.core.configuration.tokens.isEmpty, self.core.configuration.tls?.clientAuthorities == nil,
            !self.core.configuration.isInsecure
        else { return }
        // An address that does not resolve is told when it is listened on.
        guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: port), !address.isLoopback else {
            return
        }
        throw GlyphwireServerError(
            .unprotected,
            "Will not listen on \(host):\(port) without a token, where everyone who can reach it could have frames "
                + "read: set a token file, listen on 127.0.0.1, or say that it may be insecure "
                + "(--insecure)."
        )
    }

    /// Takes connections until told to stop, then lets them finish.
    private func serve(_ listener: any Channel, with workers: WorkerPool) async {
        let core = self.core
        let expiry = listener.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(1)) { _ in
            core.endExpiredTokens()
        }
        defer { expiry.cancel() }
        core.meters.isListening.store(true, ordering: .relaxed)
        if let address = listener.localAddress { self.onListening(address) }
        await withTaskCancellationOrGracefulShutdownHandler {
            // The future of a closed channel never fails.
            try? await listener.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            core.meters.end.withLockedValue { $0 = .now + core.configuration.grace }
            listener.close(promise: nil)
        }
        core.logger.info("server stops", metadata: [LogKeys.connections: "\(core.connections.count)"])
        let grace = core.configuration.grace
        let lastCall = listener.eventLoop.scheduleTask(in: TimeAmount(core.configuration.readingGrace)) {
            workers.giveUp()
        }
        defer { lastCall.cancel() }
        await core.connections.drain(deadline: TimeAmount(grace), on: listener.eventLoop)
        await withTaskCancellationHandler {
            await workers.stop()
        } onCancel: {
            workers.giveUp()
        }
    }

    private func listen(on group: any EventLoopGroup) async throws(GlyphwireServerError) -> any Channel {
        let core = self.core
        let limits = core.configuration.limits
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOptions(PeerProbe(time: limits.peerTime))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(
                    low: limits.maxUnsentBytes / 2,
                    high: limits.maxUnsentBytes
                )
            )
            .childChannelInitializer { channel in
                core.meters.connections.wrappingAdd(1, ordering: .relaxed)
                // Those who are told that there is no room take none for themselves.
                guard core.connections.count < limits.maxConnections + limits.maxTurnedAway else {
                    return channel.close()
                }
                return channel.eventLoop.makeCompletedFuture {
                    let handler = ConnectionHandler(server: core, id: ConnectionID.next())
                    if core.tls != nil || core.configuration.isBehindProxy {
                        try channel.pipeline.syncOperations.addHandler(DoorHandler(server: core, connection: handler))
                    } else {
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    core.connections.add(channel, id: handler.id, gauge: handler.gauge)
                }
            }
        let (host, port) = (core.configuration.host, core.configuration.port)
        do {
            return try await bootstrap.bind(host: host, port: port).get()
        } catch {
            throw .cannotListen(host: host, port: port, underlying: error)
        }
    }
}

extension ServerBootstrap {
    /// Has the sockets of clients watch that their peers are still there.
    fileprivate func childChannelOptions(_ probe: PeerProbe) -> ServerBootstrap {
        probe.options.reduce(self) { $0.childChannelOption(.tcpOption($1.name), value: $1.value) }
    }
}
