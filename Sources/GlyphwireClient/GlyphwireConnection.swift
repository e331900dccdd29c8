public import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// A connection to a Glyphwire server: frames go in, their text comes out.
///
/// Send and read in two tasks; unread results block everything behind them. Frames that come faster than
/// the server reads them take each other's place. Where each of them is to be read, ask for
/// ``GlyphwireProtocol/Delivery/every``: then frames wait in ``send(_:)`` while the server is behind.
///
/// Every frame that was sent has exactly one result, in the order of the frames. Where the connection is lost before the
/// server answered, the result's error is ``GlyphwireProtocol/WireError/Code/connectionLost``.
///
/// The connection closes when it is let go of.
public final class GlyphwireConnection: Sendable {
    /// The server's greeting; with a ``ReconnectPolicy``, later greetings are among ``lines``.
    public let hello: Hello

    let queue: LineQueue
    private let stream: NIOLoopBound<ClientStream>

    private init(hello: Hello, queue: LineQueue, stream: NIOLoopBound<ClientStream>) {
        self.hello = hello
        self.queue = queue
        self.stream = stream
    }

    deinit {
        let stream = self.stream
        stream.eventLoop.execute { stream.value.close() }
    }

    /// Connects, waits for the server's greeting and has it take the configuration's options.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: Of the server; 7411 by default.
    ///   - configuration: How the connection is made and kept.
    /// - Returns: A connection that frames can be sent on.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public static func connect(
        host: String,
        port: Int = 7411,
        configuration: Configuration = Configuration()
    ) async throws -> GlyphwireConnection {
        let eventLoop = configuration.eventLoopGroup.next()
        let queue = LineQueue(capacity: configuration.lineBuffer)
        let ticket = WaitTicket()
        let secured = try configuration.tls?.context()
        let stream = try await eventLoop.submit {
            let stream = ClientStream(
                host: host,
                port: port,
                configuration: configuration,
                secured: secured,
                queue: queue,
                eventLoop: eventLoop
            )
            return NIOLoopBound(stream, eventLoop: eventLoop)
        }.get()
        let hello = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                eventLoop.execute { stream.value.connect(ticket: ticket, continuation) }
            }
        } onCancel: {
            ticket.cancel()
            eventLoop.execute { stream.value.close(CancellationError()) }
        }
        return GlyphwireConnection(hello: hello, queue: queue, stream: stream)
    }

    /// Connects, and closes the connection when `body` is done with it.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: Of the server; 7411 by default.
    ///   - configuration: How the connection is made and kept.
    ///   - body: What is done with the connection; ``finish()`` at its end waits for what is still to come.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or what ``connect(host:port:configuration:)`` does.
    public static func withConnection<Value>(
        host: String,
        port: Int = 7411,
        configuration: Configuration = Configuration(),
        _ body: (GlyphwireConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await Self.connect(host: host, port: port, configuration: configuration)
        defer { connection.close() }
        return try await body(connection)
    }

    /// The results of the frames, one for each.
    public var results: FrameResults { FrameResults(connection: self) }

    /// All lines, results among them; a line is either taken here or from ``results``.
    public var lines: ServerLines { ServerLines(connection: self) }

    /// Sends a frame as soon as the socket has room for it.
    ///
    /// - Parameter frame: The picture.
    /// - Returns: The number that its result will carry.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError` while the frame still waits; then it is not sent.
    @discardableResult
    public func send(_ frame: Frame) async throws -> UInt64 {
        try await self.waitForWrite { stream, ticket, continuation in
            stream.send(frame, ticket: ticket, continuation)
        }.sequence
    }

    /// Sends a message as it is, as soon as the socket has room for it; its answer is among ``lines``.
    ///
    /// - Parameter message: Any message but `end`, which is for ``finish()`` to send.
    /// - Returns: When it was handed to the socket.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError` while the message still waits; then it is not sent.
    @discardableResult
    package func send(_ message: Message) async throws -> ContinuousClock.Instant {
        try await self.waitForWrite { stream, ticket, continuation in
            stream.enqueue(PendingSend(message: message, ticket: ticket, waiter: .written(continuation)))
        }.at
    }

    /// Sets the options for the frames that follow.
    ///
    /// - Parameter options: All options; what they leave out is back at its default.
    /// - Returns: The options in force, as the server echoes them.
    /// - Throws: ``GlyphwireClientError``, with `refused` where the server cannot honour them; those of before stay in
    ///   force then.
    @discardableResult
    public func configure(_ options: StreamConfiguration) async throws -> StreamConfiguration {
        let line = try await self.request(.configure(options)) { stream in stream.adopt(options) }
        guard case .configured(let configured) = line else { throw Self.mismatch(line) }
        return configured.options
    }

    /// Asks for a sign of life.
    ///
    /// - Parameter capturedMicroseconds: Your clock, echoed in the answer.
    /// - Returns: The answer, with the server's clock.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public func ping(capturedMicroseconds: UInt64 = 0) async throws -> Pong {
        let line = try await self.request(.ping(capturedMicroseconds: capturedMicroseconds))
        guard case .pong(let pong) = line else { throw Self.mismatch(line) }
        return pong
    }

    /// Asks how long the stages took so far, on this connection and on the whole server.
    ///
    /// - Returns: The figures.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public func stats() async throws -> Stats {
        let line = try await self.request(.stats())
        guard case .stats(let stats) = line else { throw Self.mismatch(line) }
        return stats
    }

    /// Ends the stream: waits until every frame has its result and the server says that this was all.
    ///
    /// Somebody must read ``results`` or ``lines`` meanwhile. Both end then, and nothing can be sent any more.
    ///
    /// - Returns: How many frames the server answered.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    @discardableResult
    public func finish() async throws -> EndLine {
        let line = try await self.request(.end())
        guard case .end(let end) = line else { throw Self.mismatch(line) }
        return end
    }

    /// Closes the connection at once; ``results`` and ``lines`` end behind what was received already.
    public func close() {
        let stream = self.stream
        stream.eventLoop.execute { stream.value.close() }
    }
}

extension GlyphwireConnection {
    /// Waits until a message is handed to the socket.
    private func waitForWrite(
        _ enqueue: @escaping @Sendable (ClientStream, WaitTicket, CheckedContinuation<Written, any Error>) -> Void
    ) async throws -> Written {
        let stream = self.stream
        let ticket = WaitTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                stream.eventLoop.execute { enqueue(stream.value, ticket, continuation) }
            }
        } onCancel: {
            Self.cancel(ticket, of: stream)
        }
    }

    /// Waits for the answer to a message.
    ///
    /// - Parameters:
    ///   - message: Its sequence is set here.
    ///   - accepted: Called on the event loop with the answer, before anything that comes later.
    /// - Returns: The answer.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    private func request(
        _ message: Message,
        accepted: @escaping @Sendable (ClientStream) -> Void = { _ in }
    ) async throws -> ServerLine {
        let stream = self.stream
        let ticket = WaitTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                stream.eventLoop.execute {
                    stream.value.request(message, ticket: ticket) { result in
                        if case .success = result { accepted(stream.value) }
                        continuation.resume(with: result)
                    }
                }
            }
        } onCancel: {
            Self.cancel(ticket, of: stream)
        }
    }

    private static func cancel(_ ticket: WaitTicket, of stream: NIOLoopBound<ClientStream>) {
        ticket.cancel()
        stream.eventLoop.execute { stream.value.cancel(ticket) }
    }

    private static func mismatch(_ line: ServerLine) -> GlyphwireClientError {
        GlyphwireClientError(.badLine, "the server answered a request with a line of another kind: \(line)")
    }
}
