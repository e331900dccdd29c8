import GlyphwireProtocol
import TextModel
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import StubServer
import Testing

@testable import GlyphwireClient

@Suite(.timeLimit(.minutes(1))) struct GlyphwireConnectionTests {
    private static let host = "127.0.0.1"

    private static func error(_ code: GlyphwireClientError.Code) -> GlyphwireClientError {
        GlyphwireClientError(code, "")
    }

    private static func connect(
        _ server: StubServer,
        configuration: GlyphwireConnection.Configuration = .init()
    ) async throws -> GlyphwireConnection {
        try await GlyphwireConnection.connect(host: Self.host, port: server.port, configuration: configuration)
    }

    private static func frame(_ byte: UInt8 = 0) -> Frame { Frame(jpeg: [byte]) }

    @Test func framesGoOutAndTheirTextComesBack() async throws {
        try await StubServer.withServer(script: { $0.answer($1, text: "\($1.payload.getInteger(at: 0) ?? UInt8(0))") })
        {
            server in
            let connection = try await Self.connect(server)
            #expect(connection.hello.server == "glyphwire")
            for byte in 1...3 as ClosedRange<UInt8> {
                #expect(try await connection.send(Self.frame(byte)) == UInt64(byte))
            }
            async let end = connection.finish()
            var texts: [String] = []
            for try await result in connection.results {
                guard case .ok(let text) = result.outcome else { continue }
                texts.append("\(result.sequence)=\(text.text)")
            }
            #expect(texts == ["1=1", "2=2", "3=3"])
            #expect(try await end.frames == 3)
        }
    }

    @Test func everyFieldOfAFrameIsSent() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            try await connection.send(
                Frame(
                    format: .gray,
                    payload: ByteBuffer(repeating: 9, count: 12),
                    width: 3,
                    height: 3,
                    bytesPerRow: 4,
                    orientation: .left,
                    capturedMicroseconds: 77,
                    sequence: 40
                )
            )
            #expect(try await connection.send(Self.frame()) == 41)
            let header = try #require(await server.next()).message.header
            #expect(
                header
                    == MessageHeader(
                        type: .frame,
                        format: .gray,
                        orientation: 8,
                        sequence: 40,
                        capturedMicroseconds: 77,
                        width: 3,
                        height: 3,
                        bytesPerRow: 4,
                        payloadByteCount: 12
                    )
            )
        }
    }

    @Test func requestsAreAnsweredBetweenResults() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            try await connection.send(Self.frame())
            let options = StreamConfiguration(coordinates: .vision, temporal: true)
            #expect(try await connection.configure(options) == options)
            #expect(try await connection.ping(capturedMicroseconds: 5).capturedMicroseconds == 5)
            #expect(try await connection.stats().server.frames.ok == 2)
            async let end = connection.finish()
            var kinds: [String] = []
            for try await received in connection.lines {
                kinds.append(String("\(received.line)".prefix { $0 != "(" }))
                #expect((received.roundTrip == nil) == (kinds.last != "result"))
                #expect(try ServerLine(json: received.bytes) == received.line)
            }
            _ = try await end
            #expect(kinds == ["hello", "result", "configured", "pong", "stats", "end"])
        }
    }

    @Test(arguments: MessageType.allCases)
    func everyTypeOfMessageIsSentByAMethod(type: MessageType) async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            switch type {
            case .frame: try await connection.send(Self.frame())
            case .configure: try await connection.configure(StreamConfiguration())
            case .ping: _ = try await connection.ping()
            case .stats: _ = try await connection.stats()
            case .end: try await connection.finish()
            }
            let message = try #require(await server.next()).message
            #expect(message.header.type == type.rawValue)
        }
    }

    @Test func anOptionThatIsRefusedLeavesTheConnectionAlive() async throws {
        let script: StubServer.Script = { connection, message in
            guard message.header.type == MessageType.configure.rawValue else { return connection.answer(message) }
            let error = WireError(.levelUnavailable, "no such level")
            connection.send(.error(ErrorLine(error: error, sequence: message.header.sequence)))
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server)
            let refusal = GlyphwireClientError(.refused, "", wireError: WireError(.levelUnavailable, ""))
            await #expect(throws: refusal) { try await connection.configure(StreamConfiguration()) }
            _ = try await connection.ping()
        }
    }

    @Test func theConfigurationIsSentFirst() async throws {
        try await StubServer.withServer { server in
            let options = StreamConfiguration(token: "secret", client: "test")
            let connection = try await Self.connect(server, configuration: .init(stream: options))
            let message = try #require(await server.next()).message
            #expect(message.header.type == MessageType.configure.rawValue)
            #expect(try StreamConfiguration(json: message.payload) == options)
            connection.close()
        }
    }

    @Test func aRefusedConfigurationIsNoConnection() async throws {
        let script: StubServer.Script = { connection, message in
            connection.send(
                .error(ErrorLine(error: WireError(.authFailed, "wrong token"), sequence: message.header.sequence))
            )
            connection.close()
        }
        try await StubServer.withServer(script: script) { server in
            let refusal = GlyphwireClientError(.refused, "", wireError: WireError(.authFailed, ""))
            let configuration = GlyphwireConnection.Configuration(stream: StreamConfiguration(token: "guess"))
            await #expect(throws: refusal) { try await Self.connect(server, configuration: configuration) }
        }
    }

    @Test func aPortWithoutAListenerIsReported() async throws {
        // A port that another server has just released may be used by another test; port 1 is never assigned.
        await #expect(throws: Self.error(.cannotConnect)) {
            try await GlyphwireConnection.connect(host: Self.host, port: 1)
        }
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "{\"type\":\"pong\"}\n", "220 mail ready\n"])
    func anotherProtocolIsDetected(firstLine: String) async throws {
        try await StubServer.withServer(hello: firstLine) { server in
            await #expect(throws: Self.error(.notGlyphwire)) { _ = try await Self.connect(server) }
        }
    }

    /// Listens on a free port, and closes each connection at once; the first `greeted` ones after a `hello`.
    private static func closingListener(greeted: Int) async throws -> any Channel {
        let count = NIOLockedValueBox(0)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                let number = count.withLockedValue { count -> Int in
                    count += 1
                    return count
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ClosingHandler(hello: number <= greeted ? StubServer.hello() : "")
                    )
                }
            }
            .bind(host: Self.host, port: 0).get()
    }

    @Test func aPortThatClosesWithoutAHelloMayBeTheOneForHTTP() async throws {
        let listener = try await Self.closingListener(greeted: 0)
        let port = try #require(listener.localAddress?.port)
        let error = await #expect(throws: GlyphwireClientError.self) {
            _ = try await GlyphwireConnection.connect(host: Self.host, port: port)
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("is this the port for frames (7411)") == true, "\(error?.message ?? "")")
        try await listener.close()
    }

    @Test func aPortThatHasSentAHelloIsNotAskedAbout() async throws {
        let listener = try await Self.closingListener(greeted: 1)
        let connection = try await GlyphwireConnection.connect(
            host: Self.host,
            port: try #require(listener.localAddress?.port),
            configuration: .init(reconnect: ReconnectPolicy(maxAttempts: 1, initialDelay: .zero))
        )
        let error = await #expect(throws: GlyphwireClientError.self) { for try await _ in connection.lines {} }
        #expect(error?.code == .connectionLost)
        let message = error?.message ?? ""
        #expect(message.contains("was closed by the server; the server may have stopped"), "\(message)")
        try await listener.close()
    }

    @Test func aServerWithoutAHelloTimesOut() async throws {
        try await StubServer.withServer(hello: nil) { server in
            await #expect(throws: Self.error(.timedOut)) {
                _ = try await Self.connect(server, configuration: .init(connectTimeout: .milliseconds(1)))
            }
        }
    }

    @Test func connectingCanBeCancelled() async throws {
        try await StubServer.withServer(hello: nil) { server in
            let task = Task { try await Self.connect(server) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func aLineThatIsTooLongEndsTheConnection() async throws {
        let script: StubServer.Script = { connection, _ in connection.send(String(repeating: " ", count: 2000)) }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server, configuration: .init(maxLineBytes: 1000))
            await #expect(throws: Self.error(.lineTooLong)) { try await connection.ping() }
        }
    }

    @Test func aMessageThatTheServerWouldRefuseIsNotSent() async throws {
        let limits = WireLimits(maxMessageBytes: 28 + 4)
        try await StubServer.withServer(hello: StubServer.hello(limits: limits)) { server in
            let connection = try await Self.connect(server)
            await #expect(throws: Self.error(.messageTooLarge)) {
                try await connection.send(Frame(jpeg: [1, 2, 3, 4, 5]))
            }
            try await connection.send(Frame(jpeg: [1, 2, 3, 4]))
            #expect(await server.next()?.message.payload.readableBytes == 4)
        }
    }

    @Test func aLostConnectionReportsEveryFrameAndThenTheError() async throws {
        let script: StubServer.Script = { connection, message in
            switch message.header.sequence {
            case 1: connection.answer(message)
            case 3: connection.close()
            default: break
            }
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server)
            for _ in 0..<3 { try await connection.send(Self.frame()) }
            var outcomes: [String] = []
            await #expect(throws: Self.error(.connectionLost)) {
                for try await result in connection.results { outcomes.append(result.summary) }
            }
            #expect(outcomes == ["1 ok", "2 connection_lost", "3 connection_lost"])
            await #expect(throws: Self.error(.connectionLost)) { try await connection.send(Self.frame()) }
        }
    }

    @Test func aConnectionIsMadeAgainWithItsOptionsAndNoFrameIsSilent() async throws {
        // The first connection answers frame 1 and closes at frame 3; the second one answers all.
        let script: StubServer.Script = { connection, message in
            let isFrame = message.header.type == MessageType.frame.rawValue
            guard connection.number == 0, isFrame, message.header.sequence != 1 else {
                return connection.answer(message)
            }
            if message.header.sequence == 3 { connection.close() }
        }
        try await StubServer.withServer(script: script) { server in
            let (changes, change) = AsyncStream.makeStream(of: GlyphwireConnection.ConnectionChange.self)
            let connection = try await Self.connect(
                server,
                configuration: .init(
                    stream: StreamConfiguration(token: "one"),
                    reconnect: ReconnectPolicy(initialDelay: .zero),
                    connectionChanged: { change.yield($0) }
                )
            )
            try await connection.configure(StreamConfiguration(token: "two"))
            for _ in 1...3 { try await connection.send(Self.frame()) }
            var results = connection.results.makeAsyncIterator()
            var outcomes: [String] = []
            for _ in 1...3 { outcomes.append(try await results.next()?.summary ?? "") }
            for _ in 4...5 { try await connection.send(Self.frame()) }
            async let end = connection.finish()
            while let result = try await results.next() { outcomes.append(result.summary) }
            #expect(outcomes == ["1 ok", "2 connection_lost", "3 connection_lost", "4 ok", "5 ok"])
            #expect(try await end.frames == 2)
            change.finish()
            #expect(await changes.reduce(into: []) { $0.append($1.summary) } == ["lost: connectionLost", "restored"])

            var tokens: [String?] = []
            for _ in 0..<9 {
                guard let message = await server.next()?.message else { break }
                guard message.header.type == MessageType.configure.rawValue else { continue }
                tokens.append(try StreamConfiguration(json: message.payload).token)
            }
            #expect(tokens == ["one", "two", "two"])
        }
    }

    @Test func aConnectionThatWasClosedReportsNoLoss() async throws {
        try await StubServer.withServer { server in
            let (changes, change) = AsyncStream.makeStream(of: GlyphwireConnection.ConnectionChange.self)
            let closed = NIOLockedValueBox<GlyphwireConnection?>(nil)
            var configuration = GlyphwireConnection.Configuration(
                reconnect: ReconnectPolicy(),
                connectionChanged: { change.yield($0) }
            )
            // The caller closes the connection when the event loop has read that the server refuses it.
            configuration.now = {
                closed.withLockedValue(\.self)?.close()
                return .now
            }
            let connection = try await Self.connect(server, configuration: configuration)
            try await connection.send(Self.frame())
            var results = connection.results.makeAsyncIterator()
            #expect(try await results.next()?.summary == "1 ok")
            let peer = try #require(await server.next()).connection
            closed.withLockedValue { $0 = connection }
            peer.send(.error(ErrorLine(error: WireError(.tooManyConnections, "full"), sequence: nil)))
            while (try? await results.next()) != nil {}
            closed.withLockedValue { $0 = nil }
            change.finish()
            let reported = await changes.reduce(into: [String]()) { $0.append($1.summary) }
            #expect(reported == [])
        }
    }

    @Test(arguments: [-1, 0, 65_536, 99_999])
    func aPortThatIsNoneIsAnError(port: Int) async {
        await #expect(throws: Self.error(.cannotConnect)) {
            try await GlyphwireConnection.connect(host: Self.host, port: port)
        }
    }

    @Test func reconnectingGivesUpAfterItsAttempts() async throws {
        let connection = try await StubServer.withServer(script: { connection, _ in connection.close() }) { server in
            let policy = ReconnectPolicy(maxAttempts: 2, initialDelay: .zero)
            return try await Self.connect(server, configuration: .init(reconnect: policy))
        }
        try await connection.send(Self.frame())
        var lost = 0
        await #expect(throws: Self.error(.cannotConnect)) {
            for try await _ in connection.results { lost += 1 }
        }
        #expect(lost == 1)
    }

    @Test func aServerThatIsSilentWhileItOwesAnAnswerIsLost() async throws {
        let script: StubServer.Script = { connection, message in
            if message.header.sequence == 1 { connection.answer(message) }
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server, configuration: .init(answerTimeout: .seconds(1)))
            var results = connection.results.makeAsyncIterator()
            try await connection.send(Self.frame())
            #expect(try await results.next()?.summary == "1 ok")
            try await connection.send(Self.frame())
            #expect(try await results.next()?.summary == "2 connection_lost")
            await #expect(throws: Self.error(.connectionLost)) { try await results.next() }
        }
    }

    @Test func anIdleConnectionIsKeptByPings() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server, configuration: .init(pingInterval: .milliseconds(1)))
            for _ in 0..<2 { #expect(await server.next()?.message.header.type == MessageType.ping.rawValue) }
            async let end = connection.finish()
            var kinds: [String] = []
            for try await received in connection.lines { kinds.append(String("\(received.line)".prefix { $0 != "(" })) }
            #expect(try await end.frames == 0)
            #expect(kinds == ["hello", "end"])
        }
    }

    @Test func aConnectionThatHasSentNothingPingsBeforeTheServerLosesPatience() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            #expect(await server.next()?.message.header.type == MessageType.ping.rawValue)
            connection.close()
        }
    }

    @Test func aLongUploadIsNoSilence() async throws {
        // Four seconds at 256 KiB every 20 ms, of which sockets hold the last half second: a machine may be slow.
        let size = 48 << 20
        try await StubServer.withServer(readingEvery: .milliseconds(20)) { server in
            let connection = try await Self.connect(server, configuration: .init(answerTimeout: .seconds(3)))
            var results = connection.results.makeAsyncIterator()
            try await connection.send(Frame(jpeg: ByteBuffer(repeating: 0, count: size)))
            #expect(try await results.next()?.summary == "1 ok")
        }
    }

    @Test func answersThatNobodyReadsHoldNothingUp() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server, configuration: .init(lineBuffer: 4))
            for _ in 0..<20 { _ = try await connection.ping() }
            try await connection.send(Self.frame())
            var results = connection.results.makeAsyncIterator()
            #expect(try await results.next()?.summary == "1 ok")
        }
    }

    @Test(arguments: [1, 4])
    func theGreetingAndAnswersTakeNoRoomOfResults(lineBuffer: Int) async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server, configuration: .init(lineBuffer: lineBuffer))
            for _ in 0..<20 { _ = try await connection.ping() }
            for _ in 1..<lineBuffer { try await connection.send(Self.frame()) }
            // The first pong may come in one read with the results, the second does not.
            for _ in 0..<2 { _ = try await connection.ping() }
        }
    }

    @Test func aStreamMayBeFinishedBeforeItsResultsAreRead() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server, configuration: .init(lineBuffer: 4))
            for _ in 0..<20 { try await connection.send(Self.frame()) }
            #expect(try await connection.finish().frames == 20)
            var count = 0
            for try await _ in connection.results { count += 1 }
            #expect(count == 20)
        }
    }

    /// A script with a window of one frame, which answers two frames at once.
    private static func answersTwo() -> StubServer.Script {
        let waiting = NIOLockedValueBox<[Message]>([])
        return { connection, message in
            switch MessageType(rawValue: message.header.type) {
            case .configure:
                let options = StreamConfiguration(delivery: .every)
                connection.send(.configured(Configured(sequence: message.header.sequence, options: options, window: 1)))
            case .frame:
                let pair = waiting.withLockedValue { waiting -> [Message] in
                    waiting.append(message)
                    guard waiting.count == 2 else { return [] }
                    defer { waiting = [] }
                    return waiting
                }
                for frame in pair { connection.answer(frame) }
            default: connection.answer(message)
            }
        }
    }

    private static func refusal(
        of frame: Frame,
        by connection: GlyphwireConnection
    ) async -> GlyphwireClientError.Code? {
        do {
            try await connection.send(frame)
            return nil
        } catch {
            return (error as? GlyphwireClientError)?.code
        }
    }

    @Test func theEndOfFilesFollowsTheirLastResult() async throws {
        let tooLarge = Frame(jpeg: ByteBuffer(repeating: 0, count: 128 << 10))
        let hello = StubServer.hello(limits: WireLimits(maxMessageBytes: 64 << 10))
        try await StubServer.withServer(hello: hello, script: Self.answersTwo()) { server in
            let connection = try await Self.connect(server, configuration: .init(stream: StreamConfiguration()))
            for _ in 0..<3 { try await connection.send(Self.frame()) }
            async let end = connection.finish()
            for _ in 0..<3 { _ = await server.next() }
            let third = try #require(await server.next())
            // A frame that is never sent is refused in another way once the stream is ending.
            while await Self.refusal(of: tooLarge, by: connection) == .messageTooLarge { await Task.yield() }
            third.connection.answer(third.message)
            #expect(try await end.frames == 3)
            var results = connection.results.makeAsyncIterator()
            var count = 0
            while try await results.next() != nil { count += 1 }
            #expect(count == 3)
        }
    }

    @Test func resultsThatWaitAreReadLaterWithoutLoss() async throws {
        let script: StubServer.Script = { connection, message in
            for _ in 0..<200 { connection.send(.pong(.init(message))) }
            connection.answer(message)
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server, configuration: .init(lineBuffer: 4))
            for _ in 0..<20 { try await connection.send(Self.frame()) }
            async let end = connection.finish()
            var count = 0
            for try await _ in connection.results { count += 1 }
            #expect(count == 20)
            #expect(try await end.frames == 20)
        }
    }

    @Test func aFrameThatWaitsForRoomCanBeCancelled() async throws {
        try await StubServer.withServer(reads: false) { server in
            let connection = try await Self.connect(server)
            // More than any socket buffers, so the next one has to wait.
            try await connection.send(Frame(jpeg: ByteBuffer(repeating: 0, count: 32 << 20)))
            let task = Task { try await connection.send(Self.frame()) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func whoWaitsUntilAFrameIsSendableGoesOnWithAnAnswer() async throws {
        let waiting = NIOLockedValueBox<[Message]>([])
        // Frames are answered at a ping.
        let script: StubServer.Script = { connection, message in
            waiting.withLockedValue { $0.append(message) }
            guard message.header.type == MessageType.ping.rawValue else { return }
            for message in waiting.withLockedValue({ $0 }) { connection.answer(message) }
        }
        try await StubServer.withServer(script: script) { server in
            let connection = try await Self.connect(server)
            for _ in 0..<2 {
                try await connection.waitUntilSendable()
                try await connection.send(Self.frame())
            }
            let cancelled = Task { try await connection.waitUntilSendable() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            async let isSendable: Void = connection.waitUntilSendable()
            _ = try await connection.ping()
            try await isSendable
        }
    }

    @Test func closingEndsTheWaitForAFrameToBeSendable() async throws {
        try await StubServer.withServer(script: { _, _ in }) { server in
            let connection = try await Self.connect(server)
            for _ in 0..<2 { try await connection.send(Self.frame()) }
            let waiting = Task { try await connection.waitUntilSendable() }
            connection.close()
            await #expect(throws: Self.error(.closed)) { try await waiting.value }
            await #expect(throws: Self.error(.closed)) { try await connection.waitUntilSendable() }
        }
    }

    @Test func resultsThatNobodyReadsHoldUpNoFrameOfACamera() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server, configuration: .init(lineBuffer: 1))
            for _ in 0..<6 {
                try await connection.waitUntilSendable()
                try await connection.send(Self.frame())
            }
            #expect(try await connection.finish().frames == 6)
        }
    }

    @Test func nothingIsSentAfterTheEnd() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            try await connection.finish()
            await #expect(throws: Self.error(.closed)) { try await connection.send(Self.frame()) }
            await #expect(throws: Self.error(.closed)) { try await connection.ping() }
        }
    }

    @Test func closingEndsEverythingThatWaits() async throws {
        try await StubServer.withServer(script: { _, _ in }) { server in
            let connection = try await Self.connect(server)
            try await connection.send(Self.frame())
            let pong = Task { try await connection.ping() }
            _ = await server.next()
            _ = await server.next()
            connection.close()
            await #expect(throws: Self.error(.closed)) { try await pong.value }
            for try await _ in connection.results { Issue.record("a closed connection has no results") }
        }
    }

    @Test func theConnectionClosesWithItsScope() async throws {
        try await StubServer.withServer { server in
            let leaked = try await GlyphwireConnection.withConnection(host: Self.host, port: server.port) {
                connection in
                try await connection.send(Self.frame())
                return connection
            }
            await #expect(throws: Self.error(.closed)) { try await leaked.send(Self.frame()) }
        }
    }

    @Test func aLoopMayBeLeftAndAnotherOneGoesOn() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            for _ in 0..<4 { try await connection.send(Self.frame()) }
            for try await result in connection.results where result.sequence == 2 { break }
            for try await result in connection.results {
                #expect(result.sequence == 3)
                break
            }
        }
    }

    @Test func waitingForAResultCanBeCancelled() async throws {
        try await StubServer.withServer { server in
            let connection = try await Self.connect(server)
            let task = Task { for try await _ in connection.results {} }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

extension FrameResult {
    fileprivate var summary: String {
        switch self.outcome {
        case .ok: "\(self.sequence) ok"
        case .error(let error): "\(self.sequence) \(error.code.rawValue)"
        case .dropped(let newer): "\(self.sequence) dropped by \(newer)"
        case .expired: "\(self.sequence) expired"
        case .other(let status): "\(self.sequence) \(status)"
        }
    }
}

extension Pong {
    fileprivate init(_ message: Message) {
        self.init(
            sequence: message.header.sequence,
            capturedMicroseconds: 0,
            receivedMicroseconds: 0,
            sentMicroseconds: 0
        )
    }
}

extension GlyphwireConnection.ConnectionChange {
    fileprivate var summary: String {
        switch self {
        case .lost(let error): "lost: \(error.code)"
        case .refused(let error): "refused: \(error.code)"
        case .restored: "restored"
        }
    }
}

/// Closes a connection at once, after its first bytes.
private final class ClosingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let hello: String

    init(hello: String) { self.hello = hello }

    func channelActive(context: ChannelHandlerContext) {
        context.channel.writeAndFlush(ByteBuffer(string: self.hello), promise: nil)
        context.close(promise: nil)
    }
}
