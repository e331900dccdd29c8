import GlyphwireProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import TextEngine
import TestSupport
import Testing

@testable import GlyphwireServer

/// The handler without sockets and threads: the test moves frames from the queue to the answer.
@Suite(.timeLimit(.minutes(1))) struct ConnectionHandlerTests {
    /// Counts how often bytes are asked for.
    private final class ReadCounter: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        private let reads = NIOLockedValueBox(0)

        func read(context: ChannelHandlerContext) {
            self.reads.withLockedValue { $0 += 1 }
            context.read()
        }

        /// Reads since the last call.
        func take() -> Int {
            self.reads.withLockedValue { reads in
                defer { reads = 0 }
                return reads
            }
        }
    }

    private let core: ServerCore
    private let channel = NIOAsyncTestingChannel()
    private let reads = ReadCounter()

    init() {
        self.core = Self.core()
    }

    private static func core(
        levels: [RecognitionLevel] = RecognitionLevel.allCases,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) -> ServerCore {
        var configuration = ServerConfiguration()
        configuration.window = 2
        configure(&configuration)
        return ServerCore(configuration: configuration, engine: StubEngine(levels: levels), logger: .silent)
    }

    /// Connects the handler and takes the greeting off.
    private func connect(_ core: ServerCore) async throws {
        let (id, reads) = (ConnectionID.next(), self.reads)
        try await self.channel.testingEventLoop.executeInContext {
            try self.channel.pipeline.syncOperations.addHandlers([reads, ConnectionHandler(server: core, id: id)])
        }
        try await self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 7411))
        #expect(try await self.line() == "hello")
    }

    /// The next line that was written; `nil` if there is none yet.
    private func line() async throws -> String? {
        while let bytes = try await self.channel.readOutbound(as: ByteBuffer.self) {
            if bytes.readableBytes == 0 { continue }
            return try ServerLine(json: bytes.getSlice(at: 0, length: bytes.readableBytes - 1) ?? bytes).summary
        }
        return nil
    }

    private func lines() async throws -> [String] {
        var lines: [String] = []
        while let line = try await self.line() { lines.append(line) }
        return lines
    }

    private func receive(_ bytes: ByteBuffer) async throws { try await self.channel.writeInbound(bytes) }

    private func takeJob(_ core: ServerCore) -> FrameJob? { core.queue.popFirst() }

    /// Does a worker's work.
    private func finish(_ job: FrameJob) async throws {
        let worker = FrameWorker(reader: StubReader(StubReader.firstByte), limits: WireLimits())
        let result = worker.read(
            job.frame,
            payload: job.payload.readableBytesSpan,
            configuration: job.configuration,
            sequence: job.sequence
        )
        job.finish(FinishedFrame(result), job.ticket)
        await self.channel.testingEventLoop.run()
    }

    @Test func bytesAreAskedForOnlyWhileTheWindowHasRoom() async throws {
        try await self.connect(self.core)
        #expect(self.reads.take() == 1)
        try await self.receive(Message.gray(1).bytes)
        #expect(self.reads.take() == 1)
        try await self.receive(Message.gray(2).bytes)
        #expect(self.reads.take() == 0, "two frames fill the window")
        #expect(self.core.queue.count == 2)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["1: 1"])
        #expect(self.reads.take() == 1)
    }

    @Test func whatCameInBesidesAFullWindowWaitsAndIsTakenLater() async throws {
        try await self.connect(self.core)
        try await self.receive((UInt64(1)...5).map { Message.gray($0) }.bytes)
        #expect(self.core.queue.count == 2)
        for sequence in 1...5 {
            try await self.finish(try #require(self.takeJob(self.core)))
            #expect(try await self.lines() == ["\(sequence): \(sequence)"])
        }
        #expect(self.core.queue.count == 0)
    }

    @Test func messagesAreWholeWhereverTheirBytesAreSplit() async throws {
        try await self.connect(self.core)
        for byte in [Message.gray(1), .ping(sequence: 2)].bytes.readableBytesView {
            try await self.receive(ByteBuffer(bytes: [byte]))
        }
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["1: 1", "pong 2"])
    }

    @Test func bytesAreNotAskedForWhileLinesAreStuck() async throws {
        try await self.connect(self.core)
        #expect(self.reads.take() == 1)
        self.channel.isWritable = false
        try await self.receive([Message.ping(sequence: 1), .gray(2)].bytes)
        #expect(self.reads.take() == 0)
        #expect(self.core.queue.count == 0, "no message is taken either")
        #expect(try await self.lines() == [])
        self.channel.isWritable = true
        try await self.channel.testingEventLoop.executeInContext {
            self.channel.pipeline.fireChannelWritabilityChanged()
        }
        #expect(self.reads.take() == 1)
        #expect(try await self.lines() == ["pong 1"])
        #expect(self.core.queue.count == 1)
    }

    @Test func aClientThatGoesAwayFreesItsWaitingFrames() async throws {
        try await self.connect(self.core)
        try await self.receive([Message.gray(1), .gray(2)].bytes)
        let inWork = try #require(self.takeJob(self.core))
        #expect(self.core.queue.count == 1)
        try await self.channel.close()
        #expect(self.core.queue.count == 0)
        try await self.finish(inWork)
    }

    @Test func aHalfClosedStreamIsAnsweredToItsEnd() async throws {
        try await self.connect(self.core)
        try await self.receive((UInt64(1)...3).map { Message.gray($0) }.bytes)
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        await self.channel.testingEventLoop.run()
        for _ in 1...3 { try await self.finish(try #require(self.takeJob(self.core))) }
        #expect(try await self.lines() == ["1: 1", "2: 2", "3: 3"])
        #expect(!self.channel.isActive)
    }

    @Test func aMessageThatIsCutOffByTheEndOfInputIsNotAnswered() async throws {
        try await self.connect(self.core)
        var bytes = [Message.ping(sequence: 1), .gray(2)].bytes
        bytes.moveWriterIndex(to: bytes.writerIndex - 1)
        try await self.receive(bytes)
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        await self.channel.testingEventLoop.run()
        #expect(try await self.lines() == ["pong 1"])
        #expect(!self.channel.isActive)
    }

    @Test func drainingAnswersWhatWasAcceptedAndNothingElse() async throws {
        try await self.connect(self.core)
        try await self.receive((UInt64(1)...4).map { Message.gray($0) }.bytes)
        self.channel.pipeline.fireUserInboundEventTriggered(ConnectionRegistry.DrainStarted())
        await self.channel.testingEventLoop.run()
        #expect(self.channel.isActive)
        while let job = self.takeJob(self.core) { try await self.finish(job) }
        #expect(try await self.lines() == ["1: 1", "2: 2"])
        #expect(!self.channel.isActive)
    }

    @Test func optionsHoldForTheFramesBehindThem() async throws {
        try await self.connect(self.core)
        try await self.receive(
            [
                Message.gray(1), .configure(body: #"{"level":"accurate","client":"door"}"#, sequence: 2), .gray(3),
            ].bytes
        )
        let jobs = [try #require(self.takeJob(self.core)), try #require(self.takeJob(self.core))]
        #expect(jobs.map(\.configuration.reading.level) == [.fast, .accurate])
        for job in jobs { try await self.finish(job) }
        #expect(try await self.lines() == ["1: 1", "configured 2", "3: 3"])
    }

    @Test func optionsThatCannotBeHonouredChangeNothing() async throws {
        let core = Self.core(levels: [.fast]) { $0.stream.reading.candidates = 3 }
        try await self.connect(core)
        try await self.receive(
            [
                Message.configure(body: #"{"level":"accurate"}"#, sequence: 1),
                .configure(body: #"{"levle":"fast"}"#, sequence: 2),
                .configure(body: "[]", sequence: 3),
                .configure(body: #"{"languages":["tlh"]}"#, sequence: 4),
                .gray(5),
            ].bytes
        )
        #expect(
            try await self.lines() == [
                "level_unavailable 1", "unknown_option 2", "bad_configuration 3", "unsupported_language 4",
            ]
        )
        let job = try #require(self.takeJob(core))
        #expect(job.configuration.reading == ReadingOptions(candidates: 3), "the server's own defaults are in force")
    }

    @Test func aStrangerCannotMakeTheServerHoldMuch() async throws {
        let core = Self.core { $0.token = "s3cret" }
        try await self.connect(core)
        let header = MessageHeader(type: .configure, payloadByteCount: 20_000)
        var bytes = ByteBuffer()
        header.write(into: &bytes)
        try await self.receive(bytes)
        #expect(try await self.lines() == ["auth_required -"])
        #expect(!self.channel.isActive)
    }

    @Test func aClientWithTheTokenIsServedAsUsual() async throws {
        let core = Self.core { $0.token = "s3cret" }
        try await self.connect(core)
        try await self.receive(
            [Message.configure(body: #"{"token":"s3cret"}"#, sequence: 1), .gray(2, byteCount: 1 << 20)].bytes
        )
        #expect(try await self.lines() == ["configured 1"])
        try await self.finish(try #require(self.takeJob(core)))
        #expect(try await self.lines() == ["2: 2"])
    }

    @Test func statisticsCountWhatWasAnsweredBeforeThem() async throws {
        try await self.connect(self.core)
        try await self.receive([Message.gray(1, byteCount: 4), .stats(sequence: 2)].bytes)
        try await self.receive(Message.gray(3).bytes)
        let jobs = [try #require(self.takeJob(self.core)), try #require(self.takeJob(self.core))]
        try await self.finish(jobs[1])
        try await self.finish(jobs[0])
        #expect(try await self.line() == "1: 1")
        let bytes = try #require(try await self.channel.readOutbound(as: ByteBuffer.self))
        guard case .stats(let stats) = try ServerLine(json: bytes) else {
            Issue.record("no statistics")
            return
        }
        #expect(stats.connection.ok == 1 && stats.connection.total.count == 1)
        #expect(try await self.line() == "3: 3")
    }
}
