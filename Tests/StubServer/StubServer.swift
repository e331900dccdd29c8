package import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A server on a loopback address that follows a test's script.
package final class StubServer: Sendable {
    /// Callback on the event loop for every whole message.
    package typealias Script = @Sendable (StubConnection, Message) -> Void

    package let port: Int
    private let received: AsyncStream<(StubConnection, Message)>

    private init(port: Int, received: AsyncStream<(StubConnection, Message)>) {
        self.port = port
        self.received = received
    }

    /// Starts a server on a free port, and stops it when `body` returns.
    ///
    /// - Parameters:
    ///   - hello: The first bytes of every connection.
    ///   - hellos: The first bytes of the connection with an index, where they differ.
    ///   - reads: Whether the server reads from the socket.
    ///   - interval: The time between two reads of a slow server; `nil` for one that reads what comes.
    ///   - script: The handling of a message; by default a normal answer.
    ///   - body: The test.
    @discardableResult
    package static func withServer<Value>(
        hello: String? = StubServer.hello(),
        hellos: (@Sendable (Int) -> String)? = nil,
        reads: Bool = true,
        readingEvery interval: Duration? = nil,
        script: @escaping Script = { $0.answer($1) },
        _ body: (StubServer) async throws -> Value
    ) async throws -> Value {
        let (received, continuation) = AsyncStream.makeStream(of: (StubConnection, Message).self)
        let counter = Atomic(0)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: reads && interval == nil)
            .childChannelInitializer { channel in
                let number = counter.add(1, ordering: .relaxed).oldValue
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        StubHandler(
                            connection: StubConnection(channel: channel, number: number),
                            hello: hellos?(number) ?? hello,
                            script: script,
                            received: continuation
                        )
                    )
                    if let interval { try Self.read(channel, every: interval) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = StubServer(port: listener.localAddress?.port ?? 0, received: received)
        do {
            let value = try await body(server)
            try await listener.close()
            return value
        } catch {
            try await listener.close()
            throw error
        }
    }

    /// Reads a few pieces from a channel at a time, of whose bytes the system keeps few.
    private static func read(_ channel: any Channel, every interval: Duration) throws {
        try channel.syncOptions?.setOption(.socketOption(.so_rcvbuf), value: 256 << 10)
        let delay = TimeAmount(interval)
        channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { task in
            if channel.isActive { channel.read() } else { task.cancel() }
        }
    }

    /// The next message of any connection.
    package func next() async -> (connection: StubConnection, message: Message)? {
        for await (connection, message) in self.received { return (connection, message) }
        return nil
    }

    /// The `hello` of a server with `limits`, and with `authentication`.
    package static func hello(
        protocolVersion: Int = Hello.protocolVersion,
        authentication: Hello.Authentication = .none,
        limits: WireLimits = WireLimits()
    ) -> String {
        var buffer = ByteBuffer()
        let hello = Hello(
            version: "0",
            protocolVersion: protocolVersion,
            authentication: authentication,
            limits: limits,
            levels: [.fast, .accurate]
        )
        LineWriter().write(.hello(hello), into: &buffer)
        return String(buffer: buffer)
    }
}

/// Connection of a ``StubServer``.
package final class StubConnection: Sendable {
    /// Index of the connection.
    package let number: Int
    private let channel: any Channel
    private let frames = Atomic<UInt64>(0)

    init(channel: any Channel, number: Int) {
        self.channel = channel
        self.number = number
    }

    package func send(_ line: ServerLine) {
        var buffer = ByteBuffer()
        LineWriter().write(line, into: &buffer)
        self.channel.writeAndFlush(buffer, promise: nil)
    }

    package func send(_ text: String) {
        self.channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    package func close() {
        self.channel.close(promise: nil)
    }

    /// Calls `body` once the connection is closed.
    package func whenClosed(_ body: @escaping @Sendable () -> Void) {
        self.channel.closeFuture.whenComplete { _ in body() }
    }

    /// Answers a message normally: every frame has one line of one word, `text`.
    package func answer(_ message: Message, text: String = "EXIT", timings: FrameTimings = FrameTimings()) {
        let header = message.header
        switch MessageType(rawValue: header.type) {
        case .frame:
            self.frames.add(1, ordering: .relaxed)
            self.send(.result(Self.result(header, text: text, timings: timings)))
        case .configure:
            guard let options = try? StreamConfiguration(json: message.payload) else {
                let error = WireError(.badOption, "the stub does not know it")
                return self.send(.error(ErrorLine(error: error, sequence: header.sequence)))
            }
            self.send(.configured(Configured(sequence: header.sequence, options: options)))
        case .ping:
            self.send(
                .pong(
                    Pong(
                        sequence: header.sequence,
                        capturedMicroseconds: header.capturedMicroseconds,
                        receivedMicroseconds: 1,
                        sentMicroseconds: 2
                    )
                )
            )
        case .stats:
            self.send(
                .stats(
                    Stats(
                        sequence: header.sequence,
                        connection: .init(frames: FramesByStatus(ok: 1)),
                        server: .init(frames: FramesByStatus(ok: 2))
                    )
                )
            )
        case .end:
            self.send(.end(EndLine(sequence: header.sequence, frames: self.frames.load(ordering: .relaxed))))
            self.close()
        case nil:
            let error = WireError(.unknownType, "the stub does not know it")
            self.send(.error(ErrorLine(error: error, sequence: header.sequence)))
        }
    }

    private static func result(_ header: MessageHeader, text: String, timings: FrameTimings) -> FrameResult {
        let box = Quad(
            topLeft: Point(x: 2, y: 2),
            topRight: Point(x: 12, y: 2),
            bottomRight: Point(x: 12, y: 6),
            bottomLeft: Point(x: 2, y: 6)
        )
        let word = TextWord(text: text, confidence: 1, box: box, characters: [])
        let line = TextLine(text: text, confidence: 1, box: box, words: [word])
        let found = FrameText(width: 16, height: 8, orientation: .up, level: .fast, lines: [line])
        return FrameResult(
            sequence: header.sequence,
            capturedMicroseconds: header.capturedMicroseconds,
            outcome: .ok(found),
            timings: timings
        )
    }
}

private final class StubHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: StubConnection
    private let hello: String?
    private let script: StubServer.Script
    private let received: AsyncStream<(StubConnection, Message)>.Continuation
    private var assembler = MessageAssembler()

    init(
        connection: StubConnection,
        hello: String?,
        script: @escaping StubServer.Script,
        received: AsyncStream<(StubConnection, Message)>.Continuation
    ) {
        self.connection = connection
        self.hello = hello
        self.script = script
        self.received = received
    }

    func channelActive(context: ChannelHandlerContext) {
        if let hello = self.hello { self.connection.send(hello) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.assembler.append(&chunk)
        do {
            while let message = try self.assembler.next() {
                self.script(self.connection, message)
                self.received.yield((self.connection, message))
            }
        } catch {
            context.close(promise: nil)
        }
    }
}
