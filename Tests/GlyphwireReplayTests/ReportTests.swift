import GlyphwireProtocol
import TextModel
import Testing

@testable import GlyphwireReplay

@Suite struct ReportTests {
    private static func statistics(_ milliseconds: [Int]) -> ReplayStatistics {
        var statistics = ReplayStatistics()
        for time in milliseconds {
            statistics.frameSent(lateBy: .zero)
            statistics.frameEnded(Self.frame(milliseconds: time))
        }
        return statistics
    }

    private static func frame(_ status: FrameStatus = .ok, milliseconds: Int = 0) -> FrameRecord {
        let now = ContinuousClock.now
        return FrameRecord(
            stream: 0,
            sequence: 0,
            recordedSequence: 0,
            status: status,
            dueAt: now,
            sentAt: now,
            endedAt: now + .milliseconds(milliseconds),
            timings: FrameTimings(queue: 10, decode: 20, detect: 300, recognize: 470, total: 800)
        )
    }

    private static func run(
        _ statistics: ReplayStatistics,
        connections: Int = 1,
        streams: [Result<StreamPlayer.Outcome, any Error>] = []
    ) -> RunReport {
        var configuration = ReplayConfiguration(session: "walk.gws")
        configuration.connections = connections
        return RunReport(
            configuration,
            ReplayOutcome(statistics: statistics, elapsed: .milliseconds(12_400), streams: streams)
        )
    }

    @Test func theTableIsAligned() {
        let run = Self.run(
            Self.statistics([1, 2, 12_345]),
            connections: 2,
            streams: [.success(StreamPlayer.Outcome(ending: .truncated(byteCount: 3)))]
        )
        let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            lines == [
                "load        2 connections, as recorded, 12.4 s",
                "frames      3 offered, 3 read, 100 %",
                "kept up     66.7 % of them read within 500 ms of when they were due",
                "throughput  0.24 frames/s read",
                "",
                "milliseconds           mean      p50      p90      p99    p99.9       max",
                "since due           4114.75     2.00        -        -        -  12345.34",
            ] + lines.dropFirst(7)
        )
        #expect(Set(lines[5...13].map(\.count)).count == 1)
        #expect(lines.last?.hasPrefix("note: the session is cut off: its last 3 bytes") == true)
    }

    @Test func errorsLossesAndLatenessAreReported() {
        var statistics = Self.statistics([1])
        statistics.frameSent(lateBy: .milliseconds(40))
        let corrupt = FrameStatus("error", reason: "jpeg_corrupt")
        for status in [corrupt, FrameStatus("dropped", reason: "superseded"), corrupt, .lost] {
            statistics.frameEnded(Self.frame(status))
        }
        let run = Self.run(statistics, streams: [.failure(ReplayError(.unanswered, "gone"))])
        #expect(run.text.contains("            1 dropped (superseded), 20.0 %\n"))
        #expect(run.text.contains("            2 error (jpeg_corrupt), 40.0 %\n"))
        #expect(run.text.contains("            1 lost, 20.0 %\n"))
        #expect(run.text.contains("failed      connection 1 of 1: gone\n"))
        #expect(run.text.contains("1 sent more than 10 ms after they were due, at most 40.0 ms"))
        #expect(run.failures == ["connection 1 of 1: gone"])
    }

    private static func report(_ outcomes: ReplayOutcome..., arguments: [String] = []) -> LoadReport {
        var report = LoadReport(session: "walk.gws", address: "", startedAt: 0, arguments: arguments)
        for outcome in outcomes { report.add(ReplayConfiguration(session: "walk.gws"), outcome) }
        return report
    }

    @Test func connectionsThatFailedAreInTheTableOfRuns() {
        let whole = ReplayOutcome(statistics: Self.statistics([1]), elapsed: .seconds(1), streams: [])
        var broken = whole
        broken.failures = ["connection 1 of 1: gone"]
        let table = Self.report(whole, broken).table
        #expect(table.header.last == "failed")
        #expect(table.rows.map(\.last) == ["0", "1"])
    }

    @Test func aLogThatCannotBeWrittenIsNoFailedConnection() {
        var outcome = ReplayOutcome(statistics: Self.statistics([1]), elapsed: .seconds(1), streams: [])
        outcome.logFailure = "frames.csv cannot be written"
        let report = Self.report(outcome, outcome)
        #expect(report.failures.count == 2)
        #expect(report.table.rows.map(\.last) == ["0", "0"])
        #expect(report.runs.first?.text.contains("failed      frames.csv cannot be written") == true)
    }

    @Test func framesThatWereNotAnsweredAreKnown() {
        var outcome = ReplayOutcome(statistics: Self.statistics([1]), elapsed: .seconds(1), streams: [])
        #expect(!Self.report(outcome).hasUnansweredFrames)
        outcome.statistics.frameSent(lateBy: .zero)
        outcome.statistics.frameEnded(Self.frame(.unanswered))
        let report = Self.report(outcome)
        #expect(report.hasUnansweredFrames && !report.hasLostFrames)
    }

    @Test func theWorstConnectionIsReported() {
        let shares = [(20, 19), (20, 3), (0, 0)].enumerated().map { index, frames in
            ConnectionShare(connection: index + 1, offered: frames.0, ok: frames.1)
        }
        let outcome = ReplayOutcome(statistics: Self.statistics([1]), shares: shares, elapsed: .seconds(1), streams: [])
        let run = RunReport(ReplayConfiguration(session: ""), outcome)
        #expect(run.worstConnection == shares[1])
        #expect(run.text.contains("\nworst       connection 2: 15.0 % of its 20 frames were read\n"))
    }

    @Test func timesOfAServerThatCannotBeRightAreNoted() {
        #expect(Self.run(Self.statistics([3])).caveats == [])
        // The server takes 0.8 ms, as it says, of nothing.
        #expect(Self.run(Self.statistics([0])).caveats.first?.contains("its times are wrong") == true)
    }

    @Test func tokensAreNotInAReport() throws {
        let arguments = ["run", "a.gws", "--option", "token=s3cret", "--option=token=s3cret", "--option", "client=me"]
        let report = Self.report(arguments: arguments)
        #expect(report.arguments.last == "client=me")
        #expect(!String(decoding: try report.json(), as: UTF8.self).contains("s3cret"))
        #expect(!HTMLReport(report).text.contains("s3cret"))
    }

    @Test func theProgressLineReportsTheLastInterval() {
        let progress = Replay.Progress(
            elapsed: .milliseconds(61_400),
            interval: .seconds(2),
            total: Self.statistics([1, 2, 3]),
            recent: Self.statistics([7]),
            age: .milliseconds(90)
        )
        #expect(
            ProgressLine(progress).text
                == "61 s  sent 3  answered 3  0.50 frames/s  p50 7.00 ms  p99 7.00 ms  age 90.0 ms"
        )
    }

    @Test(arguments: [
        (0, 1, "0.0"), (0.05, 1, "0.1"), (1234.5678, 2, "1234.57"), (9.999, 2, "10.00"), (-0.01, 1, "0.0"),
        (-2.5, 1, "-2.5"), (61.6, 0, "62"),
    ])
    func numbersAreRounded(value: Double, places: Int, text: String) {
        #expect(Decimals.text(value, places: places) == text)
    }

    @Test func printedTextCannotMoveTheCursor() {
        let box = Quad(
            topLeft: .init(x: 0, y: 0),
            topRight: .init(x: 0, y: 0),
            bottomRight: .init(x: 0, y: 0),
            bottomLeft: .init(x: 0, y: 0)
        )
        let lines = ["EXIT\u{1B}[2J", "é 出"].map { TextLine(text: $0, confidence: 1, box: box, words: []) }
        let text = FrameText(width: 1, height: 1, orientation: .up, level: .fast, lines: lines)
        let result = FrameResult(sequence: 7, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings())
        #expect(result.printed == "frame 7: EXIT\u{FFFD}[2J / é 出")
    }
}
