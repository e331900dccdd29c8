import GlyphwireProtocol
import TextModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import SystemSupport
import TextRecognition
import TestSupport
import Testing

@testable import GlyphwireServer

/// The handler without sockets and threads: the test takes frames from the queue and answers them.
@Suite(.timeLimit(.minutes(1))) struct ConnectionHandlerTests {
    /// Counts reads.
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

    /// Holds back writes while it is stalled, like a socket whose client does not read.
    private final class StalledOutput: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = ByteBuffer
        let isStuck = NIOLockedValueBox(false)

        func flush(context: ChannelHandlerContext) {
            if !self.isStuck.withLockedValue(\.self) { context.flush() }
        }
    }

    /// Records the numbers of published frames.
    private final class Watcher: FrameWatcher {
        let sequences = NIOLockedValueBox<[UInt64]>([])

        func frameAnswered(_ frame: WatchedFrame) {
            guard case .result(let result)? = try? ServerLine(json: frame.line) else { return }
            self.sequences.withLockedValue { $0.append(result.sequence) }
        }
    }

    private let core: ServerComponents
    private let channel = NIOAsyncTestingChannel()
    private let reads = ReadCounter()
    private let stuckness = StalledOutput()

    init() {
        self.core = Self.core()
    }

    private static func core(
        levels: [RecognitionLevel] = RecognitionLevel.allCases,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) -> ServerComponents {
        var configuration = ServerConfiguration()
        configuration.limits.maxFramesInFlight = 2
        configuration.stream.delivery = .every
        configure(&configuration)
        return ServerComponents(configuration: configuration, engine: StubEngine(levels: levels), logger: .silent)
    }

    /// Connects the handler and reads the `hello`.
    @discardableResult
    private func connect(_ core: ServerComponents) async throws -> Hello {
        let (reads, stuckness) = (self.reads, self.stuckness)
        try await self.channel.testingEventLoop.executeInContext {
            let factory = ConnectionFactory(core)
            try self.channel.pipeline.syncOperations.addHandlers(
                [stuckness, reads] + factory.makeHandlers(factory.makeAccounting(id: .next()), client: nil)
            )
        }
        try await self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 7411))
        var hello: Hello?
        if case .hello(let first)? = try await self.serverLine() { hello = first }
        return try #require(hello)
    }

    /// The next line that was written; `nil` if there is none yet.
    private func serverLine() async throws -> ServerLine? {
        while let bytes = try await self.channel.readOutbound(as: ByteBuffer.self) {
            if bytes.readableBytes > 0 { return try ServerLine(json: bytes) }
        }
        return nil
    }

    private func line() async throws -> String? { try await self.serverLine()?.summary }

    private func lines() async throws -> [String] {
        var lines: [String] = []
        while let line = try await self.line() { lines.append(line) }
        return lines
    }

    private func results() async throws -> [FrameResult] {
        var results: [FrameResult] = []
        while let bytes = try await self.channel.readOutbound(as: ByteBuffer.self) {
            guard case .result(let result) = try ServerLine(json: bytes) else { continue }
            results.append(result)
        }
        return results
    }

    private func receive(_ bytes: ByteBuffer) async throws { try await self.channel.writeInbound(bytes) }

    private func takeJob(_ core: ServerComponents) -> FrameJob? { core.queue.popFirst() }

    /// Acts as a worker.
    private func finish(_ job: FrameJob, _ core: ServerComponents? = nil) async throws {
        let worker = FrameWorker(reader: StubReader(StubReader.firstByte), limits: WireLimits())
        let frame = worker.answer(job)
        if (core ?? self.core).queue.finished(job) { job.finish(frame, job) }
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

    @Test func aFrameThatIsRefusedAtTheDoorIsNoSignOfLifeOfTheWorkers() async throws {
        try await self.connect(self.core)
        var wrong = Message.gray(1)
        wrong.header.orientation = 9
        try await self.receive(wrong.bytes)
        #expect(try await self.lines() == ["1: bad_orientation"])
        #expect(self.core.statistics.withLockedValue(\.lastWork) == nil)
        try await self.receive(Message.gray(2).bytes)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(self.core.statistics.withLockedValue(\.lastWork) != nil)
    }

    @Test func aLiveStreamIsReadFromWhateverWaits() async throws {
        let core = Self.core { $0.stream.delivery = .live }
        try await self.connect(core)
        for sequence in UInt64(1)...5 { try await self.receive(Message.gray(sequence).bytes) }
        #expect(self.reads.take() == 6)
        #expect(core.queue.count == 1)
        #expect(try await self.lines() == (1...4).map { "\($0): dropped by \($0 + 1)" })
        try await self.finish(try #require(self.takeJob(core)), core)
        #expect(try await self.lines() == ["5: 5"])
        #expect(core.statistics.withLockedValue(\.frames.counts.dropped) == 4)
    }

    @Test func aFrameInWorkIsNotDropped() async throws {
        let core = Self.core { $0.stream.delivery = .live }
        try await self.connect(core)
        try await self.receive(Message.gray(1).bytes)
        let job = try #require(self.takeJob(core))
        try await self.receive([Message.gray(2), .gray(3)].bytes)
        #expect(self.takeJob(core)?.sequence == nil, "one frame is in work at a time")
        #expect(try await self.lines() == [], "the line of a dropped frame waits for its turn")
        try await self.finish(job, core)
        #expect(try await self.lines() == ["1: 1", "2: dropped by 3"])
        try await self.finish(try #require(self.takeJob(core)), core)
        #expect(try await self.lines() == ["3: 3"])
    }

    @Test func whoWatchesSeesNoFrameThatALaterOneOvertook() async throws {
        let watcher = Watcher()
        self.core.watchers.add(watcher)
        try await self.connect(self.core)
        try await self.receive([Message.gray(1), .gray(2)].bytes)
        let first = try #require(self.takeJob(self.core))
        let second = try #require(self.takeJob(self.core))
        try await self.finish(second)
        try await self.finish(first)
        try await self.receive(Message.gray(3).bytes)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(watcher.sequences.withLockedValue(\.self) == [2, 3])
        #expect(try await self.lines() == ["1: 1", "2: 2", "3: 3"])
    }

    @Test func aFrameThatIsToBeReadIsNotDroppedForALiveOne() async throws {
        try await self.connect(self.core)
        try await self.receive(
            [Message.gray(1), .configure(body: #"{"delivery":"live"}"#, sequence: 2), .gray(3), .gray(4)].bytes
        )
        let first = try #require(self.takeJob(self.core))
        #expect(first.sequence == 1)
        try await self.finish(first)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["1: 1", "configured 2", "3: dropped by 4", "4: 4"])
    }

    @Test func aFrameWhoseDeadlineHasPassedIsNotRead() async throws {
        try await self.connect(self.core)
        try await self.receive(
            [Message.configure(body: #"{"deadline_ms":60000,"delivery":"every"}"#), .gray(1), .gray(2)].bytes
        )
        let job = try #require(self.takeJob(self.core))
        let deadline = job.arrival.time + .seconds(60)
        #expect(!job.isExpired(at: deadline))
        #expect(job.isExpired(at: deadline + .microseconds(1)))
        job.finish(job.unread(.expired, at: deadline + .seconds(1)), job)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["configured 0", "1: expired", "2: 2"])
    }

    @Test func aFrameThatIsTooOldWhenItComesNeverWaits() async throws {
        try await self.connect(self.core)
        var frames = [Message.gray(1), .gray(2)]
        // Captured an hour ago, and a second ahead of the server's clock.
        frames[0].header.capturedMicroseconds = WallClock.microseconds - 3_600_000_000
        frames[1].header.capturedMicroseconds = WallClock.microseconds + 1_000_000
        let options = #"{"deadline_ms":60000,"delivery":"every","clock_offset_us":0}"#
        try await self.receive(([.configure(body: options)] + frames).bytes)
        #expect(self.core.queue.count == 1)
        #expect(try await self.line() == "configured 0")
        try await self.finish(try #require(self.takeJob(self.core)))
        let results = try await self.results()
        #expect(results.map(\.outcome.isExpired) == [true, false])
        #expect((3_600_000..<3_660_000).contains(results[0].ageMilliseconds ?? 0))
        #expect((-1000..<59_000).contains(results[1].ageMilliseconds ?? 60_000))
        #expect(self.core.statistics.withLockedValue(\.frames.counts.expired) == 1)
    }

    @Test(
        arguments: [
            (captured: 0, offset: 5), (captured: 1, offset: nil), (captured: .max, offset: 1 << 53),
            (captured: .max, offset: 0),
        ] as [(captured: UInt64, offset: Int?)]
    )
    func anUnknownAgeIsNotReported(captured: UInt64, offset: Int?) {
        let now = ContinuousClock.now
        let arrival = FrameArrival(
            at: now,
            wallMicroseconds: WallClock.microseconds,
            capturedMicroseconds: captured,
            clockOffset: offset
        )
        #expect(arrival.ageMilliseconds(at: now) == nil)
    }

    @Test func anAgeGrowsByTheMonotonicClock() {
        let now = ContinuousClock.now
        let arrival = FrameArrival(
            at: now,
            wallMicroseconds: 10_000_000,
            capturedMicroseconds: 5_000_000,
            clockOffset: 4_999_000
        )
        #expect(arrival.ageMilliseconds(at: now) == 1)
        #expect(arrival.ageMilliseconds(at: now + .milliseconds(20)) == 21)
    }

    @Test func linesThatAreTakenSlowlyAreNotCutOff() async throws {
        let core = Self.core { $0.limits.slowReaderTime = .seconds(60) }
        try await self.connect(core)
        for sequence in UInt64(1)...5 {
            self.stuckness.isStuck.withLockedValue { $0 = true }
            try await self.receive(Message.ping(sequence: sequence).bytes)
            await self.channel.testingEventLoop.advanceTime(by: .seconds(59))
            self.channel.flush()
            self.stuckness.isStuck.withLockedValue { $0 = false }
            self.channel.flush()
            #expect(try await self.lines() == ["pong \(sequence)"])
        }
        #expect(self.channel.isActive)
    }

    @Test func aStalledClientGetsAnErrorAndIsClosed() async throws {
        let core = Self.core { $0.limits.slowReaderTime = .seconds(60) }
        try await self.connect(core)
        try await self.receive([Message.gray(1), .gray(2)].bytes)
        let inWork = try #require(self.takeJob(core))
        self.stuckness.isStuck.withLockedValue { $0 = true }
        try await self.finish(inWork, core)
        await self.channel.testingEventLoop.advanceTime(by: .seconds(59))
        #expect(core.queue.count == 1)
        await self.channel.testingEventLoop.advanceTime(by: .seconds(1))
        #expect(core.queue.count == 0, "waiting frames are freed at once")
        #expect(self.channel.isActive)
        self.stuckness.isStuck.withLockedValue { $0 = false }
        self.channel.flush()
        await self.channel.testingEventLoop.run()
        #expect(try await self.lines() == ["1: 1", "slow_reader -"])
        #expect(!self.channel.isActive)
    }

    @Test func aClientThatTakesNothingForGoodIsClosed() async throws {
        let core = Self.core { $0.limits.slowReaderTime = .seconds(60) }
        try await self.connect(core)
        self.stuckness.isStuck.withLockedValue { $0 = true }
        try await self.receive([Message.ping(sequence: 1), .end()].bytes)
        await self.channel.testingEventLoop.advanceTime(by: .seconds(61))
        #expect(self.channel.isActive)
        await self.channel.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(!self.channel.isActive)
    }

    @Test func aLargeFramesMemoryServesTheNextOne() async throws {
        try await self.connect(self.core)
        let byteCount = 17 << 20
        var addresses: [Int] = []
        for sequence in UInt64(1)...3 {
            // Its own bytes each time, so that a received frame cannot use the last one's memory.
            var message = Message.gray(sequence, byteCount: byteCount)
            (message.header.width, message.header.height) = (4096, UInt16(byteCount / 4096))
            try await self.receive(message.bytes)
            do {
                let job = try #require(self.takeJob(self.core))
                addresses.append(job.payload.withUnsafeReadableBytes { Int(bitPattern: $0.baseAddress) })
                try await self.finish(job)
            }
            #expect(try await self.lines() == ["\(sequence): \(sequence)"])
        }
        #expect(Set(addresses).count == 1)
    }

    @Test func anIdleConnectionKeepsNoMemoryOfALargeFrame() async throws {
        try await self.connect(self.core)
        try await self.receive(Self.large(1).bytes)
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(self.core.frameBudget.heldByteCount >= 17 << 20, "the next frame may use it")
        await self.channel.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(self.core.frameBudget.heldByteCount == 0)
        try await self.receive(Self.large(2).bytes)
        try await self.finish(try #require(self.takeJob(self.core)))
        try await self.channel.close()
        #expect(self.core.frameBudget.heldByteCount == 0)
    }

    @Test func aLargeFramesMemoryIsFreedWhereItIsScarceOrKeptForComparison() async throws {
        let scarce = Self.core { $0.limits.maxMemoryBytes = 16 << 20 }
        let tracking = Self.core { $0.stream.temporal = true }
        for core in [scarce, tracking] {
            let other = ConnectionHandlerTests()
            try await other.connect(core)
            try await other.receive(Self.large(1).bytes)
            try await other.finish(try #require(other.takeJob(core)), core)
            #expect(try await other.lines() == ["1: 1"])
            #expect(core.frameBudget.heldByteCount == 0)
            try await other.channel.close()
        }
    }

    /// A frame whose memory is worth keeping.
    private static func large(_ sequence: UInt64) -> Message {
        var message = Message.gray(sequence, byteCount: 17 << 20)
        (message.header.width, message.header.height) = (4096, UInt16((17 << 20) / 4096))
        return message
    }

    @Test(
        arguments: [
            (type: 3, answer: "pong 1"), (type: 4, answer: "end 1 after 0"), (type: 5, answer: "stats 1"),
            (type: 77, answer: "unknown_type 1"), (type: 2, answer: "bad_configuration 1"),
        ] as [(type: UInt8, answer: String)]
    )
    func aPayloadThatIsIgnoredTakesNoMemory(type: UInt8, answer: String) async throws {
        try await self.connect(self.core)
        let byteCount = 1 << 20
        var header = MessageHeader(type: .ping, sequence: 1, payloadByteCount: byteCount)
        header.type = type
        var bytes = ByteBuffer()
        header.write(into: &bytes)
        try await self.receive(bytes)
        for _ in 0..<16 {
            #expect(try await self.lines() == [])
            try await self.receive(ByteBuffer(repeating: 0, count: byteCount / 16))
            #expect(self.core.frameBudget.heldByteCount == 0)
        }
        let lines = try await self.lines()
        #expect(lines == [answer])
        guard type != MessageType.end.rawValue else { return }
        try await self.receive(Message.ping(sequence: 2).bytes)
        #expect(try await self.lines() == ["pong 2"])
    }

    @Test func aTimeoutIsReportedBehindTheAnswersThatAreDue() async throws {
        try await self.connect(self.core)
        var bytes = [Message.gray(1), .gray(2)].bytes
        bytes.moveWriterIndex(to: bytes.writerIndex - 1)
        try await self.receive(bytes)
        let inWork = try #require(self.takeJob(self.core))
        await self.channel.testingEventLoop.advanceTime(by: .seconds(70))
        #expect(self.channel.isActive)
        try await self.finish(inWork)
        #expect(try await self.lines() == ["1: 1", "timeout -"])
        await self.channel.testingEventLoop.advanceTime(by: .seconds(2))
        #expect(!self.channel.isActive)
    }

    @Test func aClientThatClosedItsSideWithoutAnEndLearnsOfADrain() async throws {
        try await self.connect(self.core)
        try await self.receive(Message.gray(1).bytes)
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        self.channel.pipeline.fireUserInboundEventTriggered(ConnectionRegistry.DrainStarted())
        await self.channel.testingEventLoop.run()
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["goaway 10000", "1: 1"])
        #expect(!self.channel.isActive)
    }

    @Test func noGoawayFollowsAnEnd() async throws {
        try await self.connect(self.core)
        try await self.receive([Message.gray(1), .end(sequence: 2)].bytes)
        self.channel.pipeline.fireUserInboundEventTriggered(ConnectionRegistry.DrainStarted())
        await self.channel.testingEventLoop.run()
        try await self.finish(try #require(self.takeJob(self.core)))
        #expect(try await self.lines() == ["1: 1", "end 2 after 1"])
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
        #expect(try await self.lines() == ["goaway 10000", "1: 1", "2: 2"])
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

    @Test func anUnauthenticatedClientUsesLittleMemory() async throws {
        let core = Self.core { $0.tokens = [AccessToken("s3cret")] }
        try await self.connect(core)
        let header = MessageHeader(type: .configure, payloadByteCount: 20_000)
        var bytes = ByteBuffer()
        header.write(into: &bytes)
        try await self.receive(bytes)
        #expect(try await self.lines() == ["auth_required -"])
        #expect(!self.channel.isActive)
    }

    @Test func thePortOfAnIPv6ClientIsNoPartOfItsAddress() throws {
        let accounting = ConnectionFactory(self.core).makeAccounting(id: .next())
        accounting.connected(from: try SocketAddress(ipAddress: "::1", port: 42788))
        #expect(accounting.peer == "[::1]:42788")
    }

    @Test func aFrameThatComesWhenTheWorkersHaveStoppedIsToldSo() async throws {
        try await self.connect(self.core)
        #expect(self.core.queue.abandonAll().isEmpty)
        try await self.receive(Message.gray(1).bytes)
        #expect(try await self.lines() == ["1: internal_error"])
    }

    @Test(arguments: [
        (WireError.serverStops, Logger.Level.info),
        (WireError(.internalError, "the models failed"), Logger.Level.error),
    ])
    func aPlannedStopIsNoFaultOfTheServerInItsLog(error: WireError, level: Logger.Level) async throws {
        let (logger, entries) = Logger.recorded()
        let core = ServerComponents(configuration: ServerConfiguration(), engine: StubEngine(), logger: logger)
        let result = FrameResult(
            sequence: 1,
            capturedMicroseconds: 0,
            outcome: .error(error),
            timings: FrameTimings()
        )
        ConnectionFactory(core).makeAccounting(id: .next()).frameAnswered(result)
        let entry = try #require(await entries.first { $0.message == "frame refused" })
        #expect(entry.level == level)
    }

    @Test func aMessageThatIsTooLongBeforeTheTokenIsToldSo() throws {
        let core = Self.core { $0.tokens = [AccessToken("s3cret")] }
        for (length, parts) in [(UInt32(20_028), ["16384", "shorter configure"]), (1, ["requires a token"])] {
            let framing = MessageFramingHandler(
                limits: ServerLimits(),
                budget: core.frameBudget,
                accounting: ConnectionFactory(core).makeAccounting(id: .next())
            )
            let channel = EmbeddedChannel(handler: framing)
            try channel.writeInbound(ByteBuffer(integer: length))
            let error = #expect(throws: WireError.self) {
                try framing.nextMessage(isAuthenticated: false, canWaitForMemory: false)
            }
            #expect(error?.code == .authRequired)
            for part in parts { #expect(error?.message.contains(part) == true) }
        }
    }

    @Test(arguments: [true, false])
    func theLimitBeforeTheTokenIsInTheHelloOfAServerWithTokens(requiresToken: Bool) async throws {
        let core = Self.core {
            $0.tokens = requiresToken ? [AccessToken("s3cret")] : []
            $0.limits.maxUnauthenticatedBytes = 4096
        }
        #expect(try await self.connect(core).maxUnauthenticatedBytes == (requiresToken ? 4096 : nil))
    }

    @Test func aClientWithTheTokenIsServedAsUsual() async throws {
        let core = Self.core { $0.tokens = [AccessToken("s3cret")] }
        try await self.connect(core)
        try await self.receive(
            [Message.configure(body: #"{"token":"s3cret"}"#, sequence: 1), .gray(2, byteCount: 1 << 20)].bytes
        )
        #expect(try await self.lines() == ["configured 1"])
        try await self.finish(try #require(self.takeJob(core)), core)
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
        #expect(stats.connection.frames.ok == 1 && stats.connection.total.count == 1)
        #expect(try await self.line() == "3: 3")
    }
}

extension FrameResult.Outcome {
    fileprivate var isExpired: Bool { if case .expired = self { true } else { false } }
}
