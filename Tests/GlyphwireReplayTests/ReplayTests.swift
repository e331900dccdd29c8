import GlyphwireClient
import GlyphwireProtocol
import TextModel
import NIOCore
import StubServer
import Testing

@testable import GlyphwireReplay

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    /// Messages that a server received, up to and including `end`.
    private static func received(by server: StubServer, streams: Int = 1) async -> [(stream: Int, message: Message)] {
        var messages: [(Int, Message)] = []
        var ended = 0
        while ended < streams, let (connection, message) = await server.next() {
            messages.append((connection.number, message))
            if message.header.type == MessageType.end.rawValue { ended += 1 }
        }
        return messages
    }

    @Test func everyMessageIsSentAndEveryFrameCounted() async throws {
        let messages = [.configure(StreamConfiguration())] + TestSession.frames(5) + [.ping(), .stats(), .end()]
        try await StubServer.withServer { server in
            let report = try await Replay(try self.folder.configuration(server, messages)).run()
            #expect(report.statistics.sent == 5)
            #expect(report.statistics.ok == 5)
            #expect(report.statistics.endToEnd.count == 5)
            #expect(report.failures == [])
            #expect(report.notices == [])
            let sent = await Self.received(by: server).map(\.message)
            #expect(sent.dropLast() == messages.dropLast())
        }
    }

    @Test func framesAreSentWhenTheyAreDue() async throws {
        // Frames 1 to 4 in time; then the sender is blocked until frame 10 is due. The server answers at once.
        let time = TestClock()
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(10), pace: .recorded(speed: 1))
            configuration.clock = time.clock
            let (lines, continuation) = AsyncStream.makeStream(of: ServerLine.self)
            let replay = Replay(configuration, onLine: { continuation.yield($0) })
            async let report = replay.run()
            var line = lines.makeAsyncIterator()
            #expect(await line.next().map { if case .hello = $0 { true } else { false } } == true)
            for frame in 0..<4 {
                time.advance(to: .milliseconds(100 * frame))
                #expect(await line.next()?.sequence == UInt64(frame + 1))
            }
            time.advance(to: .milliseconds(900))
            for frame in 4..<10 { #expect(await line.next()?.sequence == UInt64(frame + 1)) }
            let statistics = try await report.statistics
            #expect(statistics.late == 5)
            #expect(statistics.maxLateness == .milliseconds(500))
            // Since due: four and the last at once, then 500, 400, 300, 200 and 100 ms.
            #expect(statistics.endToEnd.milliseconds(at: 50) == 0)
            #expect(abs(statistics.endToEnd.milliseconds(at: 60) - 100) < 1)
            #expect(abs(statistics.endToEnd.milliseconds(at: 90) - 400) < 1)
            #expect(abs(statistics.endToEnd.maxMilliseconds - 500) < 1)
            #expect(statistics.sinceSent.maxMilliseconds == 0)
        }
    }

    @Test func aServerThatStallsIsMeasuredFromWhenFramesWereDue() async throws {
        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(10), pace: .recorded(speed: 1))
            configuration.clock = time.clock
            let (lines, continuation) = AsyncStream.makeStream(of: ServerLine.self)
            let replay = Replay(configuration, onLine: { continuation.yield($0) })
            async let report = replay.run()
            var line = lines.makeAsyncIterator()
            _ = await line.next()
            var held: [(StubConnection, Message)] = []
            for frame in 0..<10 {
                time.advance(to: .milliseconds(100 * frame))
                held.append(try #require(await server.next()))
            }
            held.append(try #require(await server.next()))
            for (connection, message) in held { connection.answer(message) }
            let statistics = try await report.statistics
            #expect(statistics.late == 0)
            #expect(abs(statistics.endToEnd.milliseconds(at: 50) - 400) < 1)
            #expect(abs(statistics.endToEnd.maxMilliseconds - 900) < 1)
            #expect(abs(statistics.sinceSent.maxMilliseconds - 900) < 1)
        }
    }

    @Test func aLoopGoesOnWithNumbers() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(3))
            configuration.passes = 3
            let report = try await Replay(configuration).run()
            #expect(report.statistics.ok == 9)
            let sequences = await Self.received(by: server).dropLast().map(\.message.header.sequence)
            #expect(sequences == Array(1...9))
        }
    }

    @Test func connectionsPlayTheSessionEachAndSpreadTheirFrames() async throws {
        let time = TestClock()
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(1), pace: .rate(10))
            configuration.connections = 4
            configuration.clock = time.clock
            async let report = Replay(configuration).run()
            for stream in 0..<4 {
                time.advance(to: .milliseconds(25 * stream))
                var frame = try #require(await server.next())
                while frame.message.header.type == MessageType.end.rawValue {
                    frame = try #require(await server.next())
                }
                #expect(frame.message.header.sequence == 1)
            }
            let statistics = try await report.statistics
            #expect(statistics.ok == 4)
            #expect(statistics.maxLateness == .zero)
        }
    }

    @Test func optionsTakeThePlaceOfTheSessionsOwn() async throws {
        let messages = [.configure(StreamConfiguration(token: "old"))] + TestSession.frames(1)
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, messages)
            configuration.options = ConfigureOverride(["token": .string("new")])
            _ = try await Replay(configuration).run()
            let sent = await Self.received(by: server).map(\.message)
            #expect(sent.map(\.header.type) == [2, 1, 4])
            #expect(try StreamConfiguration(json: sent[0].payload).token == "new")
        }
    }

    @Test func optionsThatAreRefusedEndTheRun() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(2))
            configuration.options = ConfigureOverride(["candidates": .integer(99)])
            let report = try await Replay(configuration).run()
            #expect(report.failures.count == 1)
            #expect(report.failures.first?.contains("refuses the options (bad_option)") == true)
        }
    }

    @Test func aSessionsOwnMistakesArePlayed() async throws {
        let mistake = Message(
            header: MessageHeader(type: .configure, payloadByteCount: 0),
            payload: ByteBuffer(string: "{")
        )
        try await StubServer.withServer { server in
            let report = try await Replay(try self.folder.configuration(server, [mistake] + TestSession.frames(2)))
                .run()
            #expect(report.statistics.ok == 2)
            #expect(report.failures == [])
        }
    }

    @Test func optionsAreSentFirstWhereTheSessionHasNone() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(2))
            configuration.options = ConfigureOverride(["level": .string("accurate")])
            _ = try await Replay(configuration).run()
            let sent = await Self.received(by: server).map(\.message)
            #expect(sent.map(\.header.type) == [2, 1, 1, 4])
            #expect(String(buffer: sent[0].payload) == "{\"level\":\"accurate\"}")
        }
    }

    @Test func linesAreWrittenAsTheyWereReceived() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(2))
            configuration.results = try self.folder.file("out.ndjson")
            _ = try await Replay(configuration).run()
            let lines = try TemporaryFolder.text(of: try self.folder.file("out.ndjson")).split(separator: "\n")
            let parsed = try lines.map { try ServerLine(json: ByteBuffer(substring: $0)) }
            #expect(parsed.map(\.sequence) == [nil, 1, 2, nil])
            #expect(lines.first.map { "\($0)\n" } == StubServer.hello())
        }
    }

    @Test func eachConnectionWritesAFileOfItsOwn() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(1))
            configuration.results = try self.folder.file("out.v2.ndjson")
            configuration.connections = 2
            _ = try await Replay(configuration).run()
            #expect(
                try TemporaryFolder.names(in: self.folder.path) == [
                    "out.v2.1.ndjson", "out.v2.2.ndjson", "session.gws",
                ]
            )
        }
    }

    @Test(arguments: [("out", "out.2"), ("a.b/out", "a.b/out.2"), (".out", ".out.2"), ("x/.o.n", "x/.o.2.n")])
    func fileNamesKeepTheirEnds(name: String, second: String) {
        var configuration = ReplayConfiguration(session: "")
        configuration.results = name
        #expect(configuration.results(ofStream: 1) == name)
        configuration.connections = 2
        #expect(configuration.results(ofStream: 1) == second)
    }

    @Test func aTruncatedSessionIsPlayedAndReported() async throws {
        try await StubServer.withServer { server in
            let bytes = TestSession.bytes(TestSession.frames(3)).dropLast()
            let path = try self.folder.file("cut.gws", Array(bytes))
            let report = try await Replay(ReplayConfiguration(session: path, port: server.port, pace: .rate(1e6))).run()
            #expect(report.statistics.ok == 2)
            #expect(report.notices.count == 1)
            #expect(report.notices.first?.contains("cut off: its last 32 bytes") == true)
        }
    }

    @Test func aSessionWithoutTimesIsPlayedAndReported() async throws {
        try await StubServer.withServer { server in
            let messages = (1...3).map { TestSession.frame($0, captured: 0) }
            let configuration = try self.folder.configuration(server, messages, pace: .recorded(speed: 1e6))
            let report = try await Replay(configuration).run()
            #expect(report.notices.first?.hasPrefix("2 frames without a usable capture time") == true)
        }
    }

    @Test(arguments: [[], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], [0, 0, 0, 28, 2]] as [[UInt8]])
    func aFileWithoutAFrameIsNoSession(bytes: [UInt8]) async throws {
        let path = try self.folder.file("not.gws", bytes)
        await #expect(throws: ReplayError(.notASession, "")) {
            try await Replay(ReplayConfiguration(session: path)).run()
        }
    }

    @Test func aMissingServerIsReported() async throws {
        let path = try self.folder.file("session.gws", TestSession.bytes(TestSession.frames(1)))
        // A port that another server has just released may be used by another test; port 1 is never assigned.
        await #expect(throws: GlyphwireClientError(.cannotConnect, "")) {
            try await Replay(ReplayConfiguration(session: path, port: 1)).run()
        }
    }

    @Test func aStreamThatIsLostIsReportedWithItsFrames() async throws {
        let script: StubServer.Script = { connection, message in
            // The second connection closes at its third frame, the first one is served.
            guard connection.number == 1 else { return connection.answer(message) }
            if message.header.sequence == 1 { connection.answer(message) }
            if message.header.sequence == 3 { connection.close() }
        }
        try await StubServer.withServer(script: script) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(3))
            configuration.connections = 2
            let report = try await Replay(configuration).run()
            #expect(report.statistics.ok == 4)
            #expect(report.statistics.lost == 2)
            #expect(report.failures.count == 1)
            #expect(report.failures.first?.hasPrefix("connection 2 of 2: ") == true)
        }
    }

    @Test func aServerWithoutAnswersTimesOut() async throws {
        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            let messages = TestSession.frames(2, gap: .zero)
            var configuration = try self.folder.configuration(server, messages, pace: .recorded(speed: 1))
            configuration.clock = time.clock
            async let report = Replay(configuration).run()
            // Both frames and the `end` have arrived, so that nothing is outstanding.
            for _ in 0..<3 { _ = await server.next() }
            time.advance(to: .seconds(100))
            let statistics = try await report.statistics
            #expect(statistics.sent == 2)
            #expect(statistics.lost == 2)
            #expect(try await report.failures.first?.contains("answered nothing") == true)
        }
    }

    @Test func aRunThatIsStoppedWaitsForItsResults() async throws {
        let time = TestClock()
        let stop = StopSignal()
        let script: StubServer.Script = { connection, message in
            connection.answer(message)
            if message.header.sequence == 2 { stop.stop() }
        }
        try await StubServer.withServer(script: script) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(10), pace: .recorded(speed: 1))
            configuration.passes = nil
            configuration.clock = time.clock
            async let report = Replay(configuration).run(until: stop)
            _ = await server.next()
            time.advance(to: .milliseconds(100))
            let statistics = try await report.statistics
            #expect(statistics.sent == 2)
            #expect(statistics.ok == 2)
            #expect(statistics.lost == 0)
            #expect(try await report.failures == [])
        }
    }
}

extension ServerLine {
    fileprivate var sequence: UInt64? {
        if case .result(let result) = self { result.sequence } else { nil }
    }
}
