public import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Connection to a Glyphwire server, which takes frames and returns their text.
///
/// Send and read in two tasks: unread results block the connection until ``finish()``. By default, frames that arrive
/// faster than the server reads them supersede each other. To have every frame read, use
/// ``GlyphwireProtocol/Delivery/every``: frames then wait in ``send(_:)`` while the server is behind, and while twice
/// as many are unanswered as it works on at once.
///
/// Every frame that was sent has exactly one result, in the order of the frames. If the connection is lost before the
/// server's answer, the result's error is ``GlyphwireProtocol/WireError/Code/connectionLost``.
///
/// The connection closes when its last reference is released.
public final class GlyphwireConnection: Sendable {
    /// First `hello` of the server; with a ``ReconnectPolicy``, later ones are among ``lines``.
    public let hello: Hello

    let queue: LineQueue
    private let stream: NIOLoopBound<ClientStream>
    /// Set by ``close()``, which the event loop may learn of after a loss.
    private let closing: WaitTicket

    private init(hello: Hello, queue: LineQueue, stream: NIOLoopBound<ClientStream>, closing: WaitTicket) {
        self.hello = hello
        self.queue = queue
        self.stream = stream
        self.closing = closing
    }

    deinit {
        self.closing.cancel()
        let stream = self.stream
        stream.eventLoop.execute { stream.value.close() }
    }

    /// Connects, waits for the server's `hello` and sends the configuration's options.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: Of the server; 7411 by default.
    ///   - configuration: The settings of the connection.
    /// - Returns: A connection that is ready for frames.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public static func connect(
        host: String,
        port: Int = 7411,
        configuration: Configuration = Configuration()
    ) async throws -> GlyphwireConnection {
        // Sockets trap on other ports.
        guard (1...65_535).contains(port) else { throw GlyphwireClientError.noPort(port) }
        let closing = WaitTicket()
        let configuration = configuration.reportingChanges(until: closing)
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
        return GlyphwireConnection(hello: hello, queue: queue, stream: stream, closing: closing)
    }

    /// Connects, and closes the connection when `body` returns.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: Of the server; 7411 by default.
    ///   - configuration: The settings of the connection.
    ///   - body: Closure that uses the connection; ``finish()`` at its end waits for the outstanding results.
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

    /// Error that has ended the connection by now, such as a refusal that came with the server's `hello`.
    package var failure: GlyphwireClientError? {
        get async {
            let stream = self.stream
            return try? await stream.eventLoop.submit { stream.value.failure }.get()
        }
    }

    /// Results of the frames, one for each.
    public var results: FrameResults { FrameResults(connection: self) }

    /// All lines, with the results; each line is read either here or from ``results``.
    public var lines: ServerLines { ServerLines(connection: self) }

    /// Sends a frame as soon as the socket has room for it.
    ///
    /// - Parameter frame: The picture.
    /// - Returns: The sequence number of its result.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError` before the frame is written; then it is not sent.
    @discardableResult
    public func send(_ frame: Frame) async throws -> UInt64 {
        try await self.waitForWrite { stream, ticket, continuation in
            stream.send(frame, ticket: ticket, continuation)
        }.sequence
    }

    /// Waits until fewer than two frames are unanswered; then take the newest picture of a camera, and send it.
    ///
    /// So the delay stays short, also over a slow network, as Protocol.md's rule D9 says. Read the results meanwhile: while
    /// ``Configuration/lineBuffer`` of them are unread no answer comes in, and it does not wait.
    ///
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public func waitUntilSendable() async throws {
        let stream = self.stream
        let ticket = WaitTicket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                stream.eventLoop.execute { stream.value.waitUntilSendable(ticket: ticket, continuation) }
            }
        } onCancel: {
            ticket.cancel()
            stream.eventLoop.execute { stream.value.cancelSender(ticket) }
        }
    }

    /// Sends a message as soon as the socket has room for it; its answer is among ``lines``.
    ///
    /// - Parameter message: Any message but `end`, which ``finish()`` sends.
    /// - Returns: The time at which it was written to the socket.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError` before the message is written; then it is not sent.
    @discardableResult
    package func send(_ message: Message) async throws -> ContinuousClock.Instant {
        try await self.waitForWrite { stream, ticket, continuation in
            stream.enqueue(PendingSend(message: message, ticket: ticket, waiter: .written(continuation)))
        }.at
    }

    /// Sets the options for the next frames.
    ///
    /// - Parameter options: All options; omitted ones return to their defaults.
    /// - Returns: The options in effect, as echoed by the server.
    /// - Throws: ``GlyphwireClientError``, with `refused` if the server rejects them; then the previous ones remain in
    ///   effect.
    @discardableResult
    public func configure(_ options: StreamConfiguration) async throws -> StreamConfiguration {
        let line = try await self.request(.configure(options)) { stream in stream.adopt(options) }
        guard case .configured(let configured) = line else { throw Self.mismatch(line) }
        return configured.options
    }

    /// Sends a `ping` and waits for its `pong`.
    ///
    /// - Parameter capturedMicroseconds: The time on the client's clock, echoed in the answer.
    /// - Returns: The answer, with the server's clock.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public func ping(capturedMicroseconds: UInt64 = 0) async throws -> Pong {
        let line = try await self.request(.ping(capturedMicroseconds: capturedMicroseconds))
        guard case .pong(let pong) = line else { throw Self.mismatch(line) }
        return pong
    }

    /// Requests the statistics of this connection and of the whole server.
    ///
    /// - Returns: The statistics.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    public func stats() async throws -> Stats {
        let line = try await self.request(.stats())
        guard case .stats(let stats) = line else { throw Self.mismatch(line) }
        return stats
    }

    /// Ends the stream and waits for the outstanding results and the server's `end`.
    ///
    /// ``results`` or ``lines`` may be read meanwhile or afterwards: however many are unread, they are kept. Both end
    /// then, and nothing more can be sent. With ``GlyphwireProtocol/Delivery/every`` the `end` is sent behind the last
    /// result, so that a server that stops before leaves it for the next connection. Where an `end` that was sent crosses
    /// the announcement that the server stops, and every frame has its result, the client makes the `end` line itself.
    ///
    /// - Returns: The number of frames that the server answered.
    /// - Throws: ``GlyphwireClientError``, or `CancellationError`.
    @discardableResult
    public func finish() async throws -> EndLine {
        let line = try await self.request(.end())
        guard case .end(let end) = line else { throw Self.mismatch(line) }
        return end
    }

    /// Closes the connection at once; ``results`` and ``lines`` end after what was already received.
    public func close() {
        self.closing.cancel()
        let stream = self.stream
        stream.eventLoop.execute { stream.value.close() }
    }
}

extension GlyphwireConnection {
    /// Waits until a message is written to the socket.
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
    ///   - message: The message; its sequence number is set here.
    ///   - accepted: Called on the event loop with the answer, before any later line.
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
        GlyphwireClientError(.badLine, "the server answered a request with a line of the wrong type: \(line)")
    }
}
