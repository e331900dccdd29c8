internal import GlyphwireProtocol
internal import NIOCore
internal import TextRecognition

/// Factory of the channel handlers of a connection.
///
/// From the socket on they are, in this order: ``ConnectionPreambleHandler`` where a PROXY header or TLS comes first,
/// ``WriteStallHandler``, the TLS handler, ``ConnectionTimeoutHandler``, ``MessageFramingHandler``, ``ConnectionHandler``.
struct ConnectionFactory: Sendable {
    private let components: ServerComponents
    private let requests: RequestParser
    private let replies: ReplyWriter

    /// Creates a factory for a server's connections.
    init(_ components: ServerComponents) {
        let configuration = components.configuration
        self.components = components
        self.requests = RequestParser(
            limits: configuration.limits.wire,
            defaults: configuration.stream,
            engine: components.engine
        )
        self.replies = ReplyWriter(
            hello: Hello(
                version: GlyphwireServer.version,
                authentication: components.access.isRequired ? .token : .none,
                limits: configuration.limits.wire,
                maxUnauthenticatedBytes: components.access.isRequired
                    ? configuration.limits.maxUnauthenticatedBytes : nil,
                levels: components.engine.levels,
                languages: components.engine.furtherLanguages
            ),
            grace: configuration.grace
        )
    }

    /// Adds the handlers of a new connection to `channel`, and registers it.
    func install(on channel: any Channel) throws {
        let accounting = self.makeAccounting(id: .next())
        if self.components.configuration.tls != nil || self.components.configuration.isBehindProxy {
            try channel.pipeline.syncOperations.addHandler(self.makePreambleHandler(accounting))
        } else {
            try channel.pipeline.syncOperations.addHandlers(self.makeHandlers(accounting, client: nil))
        }
        self.components.connections.add(channel, id: accounting.id, gauge: accounting.gauge)
    }

    /// Creates the accounting of a new connection.
    func makeAccounting(id: ConnectionID) -> ConnectionAccounting {
        ConnectionAccounting(
            id: id,
            gauge: StreamGauge(
                id: id,
                configuration: self.components.configuration.stream,
                isAuthenticated: !self.components.access.isRequired
            ),
            meters: self.components.meters,
            peerLog: self.components.peerLog
        )
    }

    /// Handlers behind preamble and TLS, to be added in order; the last one starts the connection.
    ///
    /// - Parameters:
    ///   - accounting: The accounting of the connection.
    ///   - client: The client's address if a proxy reported it; `nil` takes the socket's.
    ///   - admission: The admission of a connection with a preamble; `nil` admits it when it starts.
    /// - Returns: The handlers in the order from the socket.
    func makeHandlers(
        _ accounting: ConnectionAccounting,
        client: SocketAddress?,
        admission: ConnectionAdmission? = nil
    ) -> [any ChannelHandler] {
        let components = self.components
        let limits = components.configuration.limits
        let framing = MessageFramingHandler(limits: limits, budget: components.frameBudget, accounting: accounting)
        let connection = ConnectionHandler(
            client: client,
            framing: framing,
            accounting: accounting,
            admission: admission ?? self.makeAdmission(),
            machine: ConnectionStateMachine(
                requiresToken: components.access.isRequired,
                delivery: components.configuration.stream.delivery,
                maxFramesInFlight: limits.maxFramesInFlight,
                maxUnansweredMessages: limits.maxUnansweredMessages
            ),
            stream: StreamState(configuration: components.configuration.stream, budget: components.trackingBudget),
            requests: self.requests,
            replies: self.replies,
            queue: components.queue,
            publisher: FramePublisher(watchers: components.watchers, stream: accounting.id)
        )
        return [
            WriteStallHandler(timeout: limits.slowReaderTime), ConnectionTimeoutHandler(limits: limits), framing,
            connection,
        ]
    }

    private func makeAdmission() -> ConnectionAdmission {
        ConnectionAdmission(
            limiter: self.components.limiter,
            refusedLimiter: self.components.refusedLimiter,
            wrongTokens: self.components.wrongTokens,
            access: self.components.access,
            wrongTokenDelay: self.components.configuration.limits.wrongTokenDelay
        )
    }

    private func makePreambleHandler(_ accounting: ConnectionAccounting) -> ConnectionPreambleHandler {
        ConnectionPreambleHandler(
            expectsProxyHeader: self.components.configuration.isBehindProxy,
            timeout: self.components.configuration.limits.firstMessageTime,
            tls: self.components.tls,
            accounting: accounting,
            admission: self.makeAdmission(),
            makeHandlers: { self.makeHandlers(accounting, client: $0, admission: $1) }
        )
    }
}
