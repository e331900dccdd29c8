import GlyphwireProtocol
import NIOCore
import StubServer
import TextModel
import Testing

@testable import GlyphwireClient

/// What becomes of messages around the end of one connection and the start of the next.
@Suite(.timeLimit(.minutes(1))) struct ReconnectionTests {
    /// Long enough for a message to be queued between two connections.
    private static let policy = ReconnectPolicy(initialDelay: .milliseconds(500), jitter: 0)

    private static func connect(
        _ server: StubServer,
        stream: StreamConfiguration? = nil,
        answerTimeout: Duration = .seconds(30),
        lineBuffer: Int = 64,
        connectionChanged: (@Sendable (GlyphwireConnection.ConnectionChange) -> Void)? = nil
    ) async throws -> GlyphwireConnection {
        try await GlyphwireConnection.connect(
            host: "127.0.0.1",
            port: server.port,
            configuration: .init(
                stream: stream,
                answerTimeout: answerTimeout,
                lineBuffer: lineBuffer,
                reconnect: Self.policy,
                connectionChanged: connectionChanged
            )
        )
    }

    /// Answers everything but the frames of the first connection, which it closes.
    private static let closesAtAFrame: StubServer.Script = { connection, message in
        guard connection.number == 0, message.header.type == MessageType.frame.rawValue else {
            return connection.answer(message)
        }
        connection.close()
    }

    /// Answers everything, and says on the first connection that the server stops.
    private static let stopsAtFirst: StubServer.Script = { connection, message in
        connection.answer(message)
        if connection.number == 0 { connection.send(.goAway(GoAway(graceMilliseconds: 10_000))) }
    }

    @Test func framesBehindRefusedOptionsAreReportedAsLost() async throws {
        let script: StubServer.Script = { connection, message in
            guard connection.number > 0 else { return Self.closesAtAFrame(connection, message) }
            guard message.header.type == MessageType.configure.rawValue else { return }
            let error = WireError(.levelUnavailable, "no such level")
            connection.send(.error(ErrorLine(error: error, sequence: message.header.sequence)))
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server, stream: StreamConfiguration())
            var results = connection.results.makeAsyncIterator()
            for sequence in 1...2 as ClosedRange<UInt64> {
                try await connection.send(Frame(jpeg: [0]))
                let result = try #require(try await results.next())
                guard case .error(let error) = result.outcome else { return #expect(Bool(false), "\(result)") }
                #expect(result.sequence == sequence && error.code == .connectionLost)
            }
            let refusal = GlyphwireClientError(.refused, "", wireError: WireError(.levelUnavailable, ""))
            await #expect(throws: refusal) { try await results.next() }
        }
    }

    @Test func theTokenIsShownOnEachConnectionThoughLaterOptionsLackIt() async throws {
        let hello = StubServer.hello(authentication: .token)
        try await StubServer.withServer(hello: hello, script: Self.closesAtAFrame) { server in
            let connection = try await Self.connect(server, stream: StreamConfiguration(token: "secret"))
            try await connection.configure(StreamConfiguration(client: "test"))
            var results = connection.results.makeAsyncIterator()
            for _ in 0..<2 {
                try await connection.send(Frame(jpeg: [0]))
                _ = try await results.next()
            }
            var told: [String] = []
            for _ in 0..<6 {
                guard let (connection, message) = await server.next() else { break }
                let options = try? StreamConfiguration(json: message.payload)
                told.append("\(connection.number) \(options?.token ?? options?.client ?? "frame")")
            }
            #expect(told == ["0 secret", "0 test", "0 frame", "1 secret", "1 test", "1 frame"])
        }
    }

    /// An error that ends the connection, and one that does not.
    @Test(arguments: [WireError.Code.tooManyConnections, .overloaded])
    func aConnectionThatIsRefusedForNowIsMadeAgainWithItsOptions(code: WireError.Code) async throws {
        let script: StubServer.Script = { connection, message in
            guard connection.number == 1 else { return Self.closesAtAFrame(connection, message) }
            guard message.header.type == MessageType.configure.rawValue else { return }
            connection.send(.error(ErrorLine(error: WireError(code, "full"), sequence: message.header.sequence)))
            if code.isFatal { connection.close() }
        }
        try await StubServer.withServer(script: script) { server in
            let (changes, change) = AsyncStream.makeStream(of: GlyphwireConnection.ConnectionChange.self)
            let connection = try await Self.connect(server, stream: StreamConfiguration()) { change.yield($0) }
            var results = connection.results.makeAsyncIterator()
            // The first connection closes at its frame, the second at the options, behind which the next frame is
            // written.
            for _ in 0..<2 {
                try await connection.send(Frame(jpeg: [0]))
                guard case .error(let error) = try await results.next()?.outcome else { return #expect(Bool(false)) }
                #expect(error.code == .connectionLost)
            }
            try await connection.send(Frame(jpeg: [0]))
            guard case .ok = try await results.next()?.outcome else { return #expect(Bool(false)) }
            change.finish()
            let told = await changes.reduce(into: []) { $0.append($1.summary) }
            #expect(told == ["lost: connectionLost", "refused: \(code.rawValue)", "restored"])
        }
    }

    @Test func aQueuedFrameThatTheNextServerWouldRefuseIsNotSent() async throws {
        let hello: @Sendable (Int) -> String = {
            StubServer.hello(limits: WireLimits(maxMessageBytes: $0 == 0 ? 28 + 8 : 28 + 4))
        }
        try await StubServer.withServer(hellos: hello, script: Self.closesAtAFrame) { server in
            let connection = try await Self.connect(server)
            var results = connection.results.makeAsyncIterator()
            let frame = Frame(jpeg: [1, 2, 3, 4, 5, 6, 7, 8])
            try await connection.send(frame)
            _ = try await results.next()
            await #expect(throws: GlyphwireClientError(.messageTooLarge, "")) { try await connection.send(frame) }
            try await connection.send(Frame(jpeg: [1, 2, 3, 4]))
            guard case .ok = try await results.next()?.outcome else { return #expect(Bool(false)) }
        }
    }

    @Test func nothingIsSentToAServerThatStops() async throws {
        try await StubServer.withServer(script: Self.stopsAtFirst) { server in
            let connection = try await Self.connect(server)
            try await connection.send(Frame(jpeg: [0]))
            let first = try #require(await server.next()).connection
            for try await received in connection.lines { if case .goAway = received.line { break } }
            let sending = Task { try await connection.send(Frame(jpeg: [0])) }
            await Task.yield()
            first.close()
            #expect(try await sending.value == 2)
            var results = connection.results.makeAsyncIterator()
            let result = try #require(try await results.next())
            guard case .ok = result.outcome else { return #expect(Bool(false), "\(result)") }
            let second = try #require(await server.next())
            #expect(second.connection.number == 1 && second.message.header.sequence == 2)
        }
    }

    @Test func aServerThatStopsWithoutClosingIsLeft() async throws {
        try await StubServer.withServer(script: Self.stopsAtFirst) { server in
            let connection = try await Self.connect(server, answerTimeout: .seconds(1))
            try await connection.send(Frame(jpeg: [0]))
            _ = await server.next()
            for try await received in connection.lines { if case .goAway = received.line { break } }
            #expect(try await connection.send(Frame(jpeg: [0])) == 2)
            var results = connection.results.makeAsyncIterator()
            let result = try #require(try await results.next())
            guard case .ok = result.outcome else { return #expect(Bool(false), "\(result)") }
            let second = try #require(await server.next())
            #expect(second.connection.number == 1 && second.message.header.sequence == 2)
        }
    }

    @Test func theEndIsNotSentToAServerThatStops() async throws {
        try await StubServer.withServer(script: Self.stopsAtFirst) { server in
            // The result and the goaway pause reading, until the stream is finished.
            let connection = try await Self.connect(server, lineBuffer: 2)
            try await connection.send(Frame(jpeg: [0]))
            let first = try #require(await server.next()).connection
            while !connection.queue.isPaused { await Task.yield() }
            async let end = connection.finish()
            while connection.queue.isPaused { await Task.yield() }
            first.close()
            #expect(try await end.frames == 0)
            let second = try #require(await server.next())
            #expect(second.connection.number == 1 && second.message.header.type == MessageType.end.rawValue)
        }
    }

    @Test func anEndThatCrossesAGoawayCompletesAStreamOfAnsweredFrames() async throws {
        let script: StubServer.Script = { connection, message in
            guard message.header.type == MessageType.end.rawValue else { return connection.answer(message) }
            connection.send(.goAway(GoAway(graceMilliseconds: 10_000)))
            connection.close()
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server)
            try await connection.send(Frame(jpeg: [0]))
            let end = try await connection.finish()
            #expect(end.frames == 1)
            var lines: [ServerLine] = []
            for try await received in connection.lines { lines.append(received.line) }
            guard case .end(end)? = lines.last else { return #expect(Bool(false), "\(lines)") }
            #expect(lines.count == 4)
        }
    }

    @Test func resultsThatNobodyReadsDoNotKeepAConnectionFromBeingMade() async throws {
        try await StubServer.withServer(script: Self.closesAtAFrame) { server in
            let (changes, change) = AsyncStream.makeStream(of: GlyphwireConnection.ConnectionChange.self)
            var configuration = GlyphwireConnection.Configuration(
                stream: StreamConfiguration(),
                lineBuffer: 1,
                reconnect: Self.policy
            )
            configuration.connectionChanged = { change.yield($0) }
            let connection = try await GlyphwireConnection.connect(
                host: "127.0.0.1",
                port: server.port,
                configuration: configuration
            )
            try await connection.send(Frame(jpeg: [0]))
            var told: [String] = []
            for await one in changes {
                told.append(one.summary)
                if case .restored = one { break }
            }
            #expect(told == ["lost: connectionLost", "restored"])
            var results = connection.results.makeAsyncIterator()
            guard case .error = try await results.next()?.outcome else { return #expect(Bool(false)) }
        }
    }

    @Test func aFinishThatWaitsForRoomCanBeCancelled() async throws {
        let size = 32 << 20
        let limits = WireLimits(maxMessageBytes: 28 + size)
        try await StubServer.withServer(hello: StubServer.hello(limits: limits), reads: false) { server in
            let connection = try await Self.connect(server)
            // More than any socket buffers, so that the next message has to wait.
            try await connection.send(Frame(jpeg: ByteBuffer(repeating: 0, count: size)))
            let tooLarge = Frame(jpeg: ByteBuffer(repeating: 0, count: size + 1))
            /// The error of a frame that is never sent: `closed` while the stream is ending.
            func refusal() async throws -> GlyphwireClientError.Code? {
                do {
                    try await connection.send(tooLarge)
                    return nil
                } catch let error as GlyphwireClientError {
                    return error.code
                }
            }
            let finishing = Task { try await connection.finish() }
            while try await refusal() == .messageTooLarge { await Task.yield() }
            #expect(try await refusal() == .closed)
            finishing.cancel()
            await #expect(throws: CancellationError.self) { try await finishing.value }
            #expect(try await refusal() == .messageTooLarge)
        }
    }
}

extension GlyphwireConnection.ConnectionChange {
    fileprivate var summary: String {
        switch self {
        case .lost(let error): "lost: \(error.code)"
        case .refused(let error): "refused: \(error.wireError?.code.rawValue ?? "")"
        case .restored: "restored"
        }
    }
}
