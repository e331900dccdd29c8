import GlyphwireClient
import GlyphwireProtocol
import TextModel
import NIOCore
import StubServer
import Testing

@testable import GlyphwireReplay

/// Runs that measure: their schedule, their ends, and the comparison of results.
@Suite(.timeLimit(.minutes(1))) struct LoadRunTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private static func percentile(_ percentile: Double, of values: [Int]) -> Double {
        Double(values.sorted()[max(Int((percentile / 100 * Double(values.count)).rounded(.up)), 1) - 1])
    }

    @Test func latenciesOfAKnownScheduleAreRightWithinAMillisecond() async throws {
        // A frame every 10 ms to a server that takes 4 to 10 ms for each, one at a time, and once stalls for 400 ms.
        let services = (0..<200).map { $0 == 60 ? 400 : 4 + $0 % 7 }
        var done: [Int] = []
        for (index, service) in services.enumerated() { done.append(max(done.last ?? 0, index * 10) + service) }
        let latencies = done.enumerated().map { $1 - $0 * 10 }
        let events = (0..<200).map { ($0 * 10, 0, $0) } + done.enumerated().map { ($1, 1, $0) }

        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            let frames = TestSession.frames(200, gap: .milliseconds(10))
            var configuration = try self.folder.configuration(server, frames, pace: .recorded(speed: 1))
            configuration.clock = time.clock
            let (lines, continuation) = AsyncStream.makeStream(of: ServerLine.self)
            let replay = Replay(configuration, onLine: { continuation.yield($0) })
            async let outcome = replay.run()
            var line = lines.makeAsyncIterator()
            _ = await line.next()
            var held: [Int: (StubConnection, Message)] = [:]
            for (at, kind, frame) in events.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
                // Slightly later: due times are rounded to the precision of a double.
                time.advance(to: .milliseconds(at) + .microseconds(1))
                if kind == 0 {
                    let received = try #require(await server.next())
                    held[frame] = received
                } else if let (connection, message) = held[frame] {
                    connection.answer(message)
                    _ = await line.next()
                }
            }
            let (connection, end) = try #require(await server.next())
            connection.answer(end)
            let figures = try await outcome.statistics
            for percentile in [50.0, 90, 99] {
                #expect(
                    abs(figures.endToEnd.milliseconds(at: percentile) - Self.percentile(percentile, of: latencies)) < 1
                )
                #expect(
                    abs(figures.sinceSent.milliseconds(at: percentile) - Self.percentile(percentile, of: latencies)) < 1
                )
            }
            #expect(abs(figures.endToEnd.maxMilliseconds - 400) < 1)
            // Most of it is the stall, which a closed loop sees only once: see the next test.
            #expect(figures.endToEnd.milliseconds(at: 90) > 100)
        }
    }

    @Test func aClosedLoopSeesAStallOnceAndIsRightAboutTheRest() async throws {
        let services = (0..<200).map { $0 == 60 ? 400 : 4 + $0 % 7 }
        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(200))
            configuration.maxInFlight = 1
            configuration.clock = time.clock
            let (lines, continuation) = AsyncStream.makeStream(of: ServerLine.self)
            let replay = Replay(configuration, onLine: { continuation.yield($0) })
            async let outcome = replay.run()
            var line = lines.makeAsyncIterator()
            _ = await line.next()
            var now = 0
            for service in services {
                let (connection, message) = try #require(await server.next())
                now += service
                time.advance(to: .milliseconds(now))
                connection.answer(message)
                _ = await line.next()
            }
            let (connection, end) = try #require(await server.next())
            connection.answer(end)
            let figures = try await outcome.statistics
            #expect(figures.ok == 200)
            for percentile in [50.0, 90, 99] {
                #expect(
                    abs(figures.endToEnd.milliseconds(at: percentile) - Self.percentile(percentile, of: services)) < 1
                )
            }
            #expect(abs(figures.endToEnd.maxMilliseconds - 400) < 1)
        }
    }

    @Test func aWarmUpIsLeftOutAndARunEndsWithItsTime() async throws {
        let time = TestClock()
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(3), pace: .recorded(speed: 1))
            configuration.passes = nil
            configuration.warmup = .milliseconds(200)
            configuration.duration = .milliseconds(500)
            configuration.clock = time.clock
            async let outcome = Replay(configuration).run()
            for frame in 0..<5 {
                time.advance(to: .milliseconds(100 * frame))
                #expect(await server.next()?.message.header.sequence == UInt64(frame + 1))
            }
            time.advance(to: .milliseconds(500))
            let figures = try await outcome
            #expect(figures.elapsed == .milliseconds(500))
            #expect(figures.statistics.offered == 3)
            #expect(figures.statistics.ok == 3)
            #expect(figures.warmUpFrames == 2)
        }
    }

    @Test func theLoadStaysUntilTheLastFrameThatCountsIsAnswered() async throws {
        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(1), pace: .rate(10))
            (configuration.passes, configuration.connections) = (nil, 2)
            configuration.duration = .milliseconds(300)
            configuration.clock = time.clock
            configuration.results = try self.folder.file("results.ndjson")
            async let outcome = Replay(configuration).run()
            var held: [(connection: StubConnection, message: Message)] = []
            for frame in 0..<8 {
                time.advance(to: .milliseconds(50 * frame))
                held.append(try #require(await server.next()))
            }
            #expect(held.map(\.message.header.sequence) == [1, 1, 2, 2, 3, 3, 4, 4])
            // All measured frames of one connection are answered, and it continues with the other.
            for (connection, message) in held[0..<6] where connection.number == held[0].connection.number {
                connection.answer(message)
            }
            time.advance(to: .milliseconds(400))
            #expect(await server.next()?.message.header.sequence == 5)
            for (connection, message) in held[0..<6] where connection.number != held[0].connection.number {
                connection.answer(message)
            }
            let figures = try await outcome
            #expect(figures.failures == [])
            #expect(figures.statistics.offered == 6)
            #expect(figures.statistics.sent == 6)
            #expect(figures.statistics.ok == 6)
            let lines = try (1...2).map { try TemporaryFolder.text(of: try self.folder.file("results.\($0).ndjson")) }
            #expect(lines.map { $0.split(separator: "\n").filter { $0.contains("\"result\"") }.count } == [3, 3])
        }
    }

    @Test func framesThatAreNeverAnsweredAreNotWaitedForForEver() async throws {
        let time = TestClock()
        try await StubServer.withServer(script: { _, _ in }) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(1), pace: .rate(10))
            configuration.passes = nil
            configuration.duration = .milliseconds(100)
            configuration.clock = time.clock
            async let outcome = Replay(configuration).run()
            for frame in 0..<3 {
                time.advance(to: .milliseconds(100 * frame))
                #expect(await server.next()?.message.header.sequence == UInt64(frame + 1))
            }
            time.advance(to: .milliseconds(100) + configuration.drain)
            let figures = try await outcome
            #expect(figures.failures == [])
            #expect(figures.statistics.offered == 1)
            #expect(figures.statistics.outcomes[.unanswered] == 1)
        }
    }

    @Test func whatTheSocketHasNoRoomForIsCounted() async throws {
        // A server that reads nothing, and frames that each fill a socket.
        try await StubServer.withServer(reads: false) { server in
            let frame = Message.frame(jpeg: ByteBuffer(repeating: 1, count: 32 << 20), sequence: 1)
            var configuration = try self.folder.configuration(server, [frame], pace: .rate(20))
            configuration.passes = nil
            configuration.duration = .milliseconds(280)
            configuration.drain = .milliseconds(50)
            let log = try self.folder.file("frames.csv")
            configuration.frameLog = log
            let outcome = try await Replay(configuration).run()
            #expect(outcome.failures == [])
            // On a busy machine the time may end before the first frame is sent.
            let figures = outcome.statistics
            #expect(figures.offered == 6)
            #expect(figures.unsent >= 5)
            #expect(figures.outcomes[.unanswered] ?? 0 == figures.sent)
            let rows = try TemporaryFolder.text(of: log).split(separator: "\n")
            #expect(rows.count == 7)
            #expect(rows.filter { $0.contains(",unsent,") }.count == figures.unsent)
        }
    }

    /// Plays a frame ten times a second, of which the server answers the third of the first connection by closing it.
    ///
    /// The clock goes on to `end` only after that is known here.
    private func runThatLosesAConnection(
        check: Replay.Check = .none,
        until end: Duration = .milliseconds(300),
        on server: StubServer,
        _ change: (inout ReplayConfiguration) -> Void = { _ in }
    ) async throws -> RunReport {
        let time = TestClock()
        var configuration = try self.folder.configuration(server, TestSession.frames(1), pace: .rate(10))
        configuration.passes = nil
        configuration.clock = time.clock
        change(&configuration)
        let (lines, continuation) = AsyncStream.makeStream(of: ServerLine.self)
        let replay = Replay(configuration, check: check, onLine: { continuation.yield($0) })
        async let outcome = replay.run()
        var line = lines.makeAsyncIterator()
        _ = await line.next()
        for frame in 0..<3 {
            // Slightly later: due times are rounded to the precision of a double.
            time.advance(to: .milliseconds(100 * frame) + .microseconds(1))
            _ = await line.next()
        }
        time.advance(to: end + .microseconds(1))
        return RunReport(configuration, try await outcome)
    }

    private static func losing(_ number: Int = 0) -> StubServer.Script {
        { connection, message in
            let isLast = connection.number == number && message.header.sequence == 3
            if isLast { connection.close() } else { connection.answer(message) }
        }
    }

    @Test func framesThatAreDueAfterALossAreOfferedAndLost() async throws {
        try await StubServer.withServer(script: Self.losing()) { server in
            let run = try await self.runThatLosesAConnection(until: .seconds(1), on: server) { configuration in
                configuration.connections = 2
                configuration.duration = .seconds(1)
            }
            #expect(run.frames.offered == 20)
            #expect(run.frames.ok == 12)
            #expect(run.frames.count(of: "lost") == 8)
            #expect(abs(run.offeredFps - 20) < 0.1)
            #expect(run.failures.count == 1)
            #expect(run.worstConnection == ConnectionShare(connection: 1, offered: 10, ok: 2))
        }
    }

    @Test func aRunThatLosesItsLastConnectionEndsAtOnceWithAllThatWasPlanned() async throws {
        try await StubServer.withServer(script: Self.losing(1)) { server in
            let alone = try self.folder.configuration(server, TestSession.frames(1))
            let expectation = try #require(try await Replay(alone, check: .learn).run().learned)
            let run = try await self.runThatLosesAConnection(check: .expect(expectation), on: server) {
                $0.duration = .seconds(10)
            }
            #expect(run.frames.offered == 100)
            #expect(run.frames.ok == 2)
            #expect(run.frames.count(of: "lost") == 98)
            #expect(run.measuredSeconds == 10)
            #expect(run.timeline.last?.seconds == 10)
            #expect(run.agreement?.framesSame == 2)
            #expect(run.agreement?.framesNotRead == 98)
        }
    }

    @Test func whatWasPlannedAfterTheWarmUpIsNotWarmUp() async throws {
        try await StubServer.withServer(script: Self.losing()) { server in
            let run = try await self.runThatLosesAConnection(on: server) { configuration in
                configuration.warmup = .seconds(5)
                configuration.duration = .seconds(10)
            }
            #expect(run.timeline.map(\.seconds) == [5, 10])
            #expect(run.timeline.map(\.isWarmUp) == [true, false])
        }
    }

    @Test func aRunWithoutAnEndEndsWithItsLastConnection() async throws {
        try await StubServer.withServer(script: Self.losing()) { server in
            let run = try await self.runThatLosesAConnection(on: server)
            #expect(run.frames.offered == 4)
            #expect(run.frames.count(of: "lost") == 2)
            #expect(run.measuredSeconds < 0.31)
        }
    }

    @Test func aLogThatCannotBeWrittenDoesNotCostTheRun() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(3))
            configuration.frameLog = "/dev/full"
            let outcome = try await Replay(configuration).run()
            #expect(outcome.statistics.ok == 3)
            #expect(outcome.failures == [])
            #expect(outcome.logFailure?.hasPrefix("/dev/full cannot be written") == true)
        }
    }

    @Test func onlyTheAskedForPartIsPlayed() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(10))
            configuration.window = SessionWindow(start: .milliseconds(300), until: .milliseconds(600))
            configuration.isPreloaded = true
            configuration.passes = 2
            let outcome = try await Replay(configuration).run()
            #expect(outcome.statistics.ok == 6)
            #expect(outcome.notices == [])
            #expect(await server.next()?.message.header.sequence == 4)
        }
    }

    @Test func resultsThatDifferFromThoseExpectedAreReported() async throws {
        let script: StubServer.Script = { connection, message in
            connection.answer(
                message,
                text: connection.number == 1 && message.header.sequence % 3 == 2 ? "EX1T" : "EXIT"
            )
        }
        try await StubServer.withServer(script: script) { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(3))
            configuration.results = try self.folder.file("alone.ndjson")
            _ = try await Replay(configuration).run()
            let expectation = try Expectation(path: try self.folder.file("alone.ndjson"))
            configuration.results = nil
            // In a second playback its frames have other numbers and still the same expectation.
            configuration.passes = 2
            let outcome = try await Replay(configuration, check: .expect(expectation)).run()
            let agreement = try #require(outcome.agreement)
            #expect(agreement.framesSame == 4)
            #expect(agreement.framesDifferent == 2)
            #expect(agreement.wordsChanged == 2)
            #expect(agreement.examples.first == "frame 2: \"EXIT\" is read \"EX1T\"")
            #expect(throws: ReplayError(.unreadable, "")) { try Expectation(path: configuration.session) }
        }
    }

    private func faultTest(_ script: @escaping StubServer.Script) async throws -> (FaultTest.Verdict, LoadReport) {
        try await StubServer.withServer(script: script) { server in
            let frames = TestSession.frames(10, gap: .milliseconds(30))
            let configuration = try self.folder.configuration(server, frames, pace: .recorded(speed: 1))
            var plan = FaultPlan()
            plan.slowReaders = 1
            plan.cutAfter = 40
            plan.reconnects = 50
            plan.corrupt = 0.5
            var report = LoadReport(session: "", address: "", startedAt: 0, arguments: [])
            let verdict = try await FaultTest(plan, LoadTest(configuration)).run(into: &report, until: StopSignal())
            return (try #require(verdict), report)
        }
    }

    @Test func harmlessFaultyClientsAreReportedAsHarmless() async throws {
        let (verdict, report) = try await self.faultTest { $0.answer($1) }
        #expect(verdict.harm == [])
        #expect(verdict.faults.count >= 4)
        #expect(report.runs.count == 2)
        #expect(report.finding?.contains("unharmed") == true)
    }

    @Test func harmToGoodStreamsIsFound() async throws {
        let (verdict, report) = try await self.faultTest { connection, message in
            connection.answer(message, text: connection.number == 0 ? "EXIT" : "EX1T")
        }
        #expect(verdict.harm.first?.hasPrefix("10 frames read differently") == true)
        #expect(report.finding?.contains("were harmed") == true)
    }

    @Test func faultsThatDidNotHappenAreReported() {
        var plan = FaultPlan()
        plan.corrupt = 0.01
        plan.reconnects = 5
        var counts = FaultTally.Counts()
        #expect(counts.missing(plan) == ["no connection was made and closed", "no frame was damaged"])
        (counts.reconnects, counts.corrupted) = (1, 1)
        #expect(counts.missing(plan) == [])
        let lines = ["1 connection made and closed at once", "1 damaged frame, 0 answered with an error"]
        #expect(counts.lines(plan) == lines)
    }

    @Test func whereNothingIsReadNothingIsFoundHarmless() {
        let nothing = ReplayOutcome(statistics: ReplayStatistics(), elapsed: .seconds(1), streams: [])
        let run = RunReport(ReplayConfiguration(session: ""), nothing)
        #expect(FaultTest.harm(before: run, after: run).count == 1)
        #expect(FaultTest.cost(before: run, after: run) == "Frames read in time went from 0 % to 0 %.")
    }

    @Test func framesThatFaultyClientsKeepFromBeingAnsweredAreHarm() {
        let runs = [0, 1].map { unanswered in
            var statistics = ReplayStatistics()
            let now = ContinuousClock.now
            for status in [FrameStatus.ok] + Array(repeating: FrameStatus.unanswered, count: unanswered) {
                statistics.frameEnded(
                    FrameRecord(
                        stream: 0,
                        sequence: 0,
                        recordedSequence: 0,
                        status: status,
                        dueAt: now,
                        sentAt: now,
                        endedAt: now
                    )
                )
            }
            let outcome = ReplayOutcome(statistics: statistics, elapsed: .seconds(1), streams: [])
            return RunReport(ReplayConfiguration(session: ""), outcome)
        }
        #expect(FaultTest.harm(before: runs[0], after: runs[1]) == ["1 more frame not answered"])
    }

    /// The first lines of a server that has no place for a connection.
    private static var refusal: String {
        var line = ByteBuffer()
        let error = WireError(.tooManyConnections, "all are in use")
        LineWriter().write(.error(ErrorLine(error: error, sequence: nil)), into: &line)
        return StubServer.hello() + String(buffer: line)
    }

    @Test func aConnectionThatFindsNoPlaceAtFirstIsMadeAgain() async throws {
        // The second run comes before the server has freed the place of the first.
        let hellos: @Sendable (Int) -> String = { $0 == 1 ? Self.refusal : StubServer.hello() }
        try await StubServer.withServer(hellos: hellos) { server in
            let configuration = try self.folder.configuration(server, TestSession.frames(3))
            var report = LoadReport(session: "", address: "", startedAt: 0, arguments: [])
            let test = LoadTest(configuration, plan: .ramp(try LoadRamp("1:2:1")))
            try await test.run(into: &report, until: StopSignal())
            #expect(report.failures == [])
            #expect(report.runs.map(\.frames.ok) == [3, 6])
        }
    }

    @Test func aSearchNamesTheRefusalThatEndsIt() async throws {
        let hellos: @Sendable (Int) -> String = { $0 == 0 ? StubServer.hello() : Self.refusal }
        try await StubServer.withServer(hellos: hellos) { server in
            let configuration = try self.folder.configuration(server, TestSession.frames(3))
            var report = LoadReport(session: "", address: "", startedAt: 0, arguments: [])
            let test = LoadTest(configuration, plan: .limit(try LatencyLimit("p50=100s"), maxConnections: 2))
            try await test.run(into: &report, until: StopSignal())
            let reason = "2 do not: connection 1 of 2: the server refused: all are in use (too_many_connections)."
            #expect(report.finding?.hasSuffix(reason) == true, "\(report.finding ?? "")")
            #expect(report.runs.last?.frames.offered == 6)
        }
    }

    @Test func aSearchWithoutAFrameSaysSo() async throws {
        try await StubServer.withServer { server in
            var configuration = try self.folder.configuration(server, TestSession.frames(1))
            configuration.warmup = .seconds(60)
            var report = LoadReport(session: "", address: "", startedAt: 0, arguments: [])
            let test = LoadTest(configuration, plan: .limit(try LatencyLimit("p50=100s"), maxConnections: 2))
            try await test.run(into: &report, until: StopSignal())
            #expect(report.finding?.contains("meets p50=100s: no frame was due in a run") == true)
        }
    }

    @Test func aRampMakesOneRunForEachLoad() async throws {
        try await StubServer.withServer { server in
            let configuration = try self.folder.configuration(server, TestSession.frames(3))
            var report = LoadReport(session: "a.gws", address: "", startedAt: 0, arguments: [])
            let test = LoadTest(configuration, plan: .ramp(try LoadRamp("1:3:2")))
            try await test.run(into: &report, until: StopSignal())
            #expect(report.runs.map(\.connections) == [1, 3])
            #expect(report.runs.map(\.frames.ok) == [3, 9])
            let rows = report.text.split(separator: "\n")
            #expect(rows.filter { $0.hasPrefix("1 x ") || $0.hasPrefix("3 x ") }.count == 2)
        }
    }
}
