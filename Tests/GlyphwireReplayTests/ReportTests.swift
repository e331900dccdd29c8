import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct ReportTests {
    private static func statistics(_ milliseconds: [Int]) -> ReplayStatistics {
        var statistics = ReplayStatistics()
        let now = ContinuousClock.now
        for time in milliseconds {
            statistics.frameSent(lateBy: .zero)
            let text = FrameText(width: 1, height: 1, orientation: .up, level: .fast, lines: [])
            let timings = FrameTimings(queue: 10, decode: 20, detect: 300, recognize: 470, total: 800)
            let result = FrameResult(sequence: 0, capturedMicroseconds: 0, outcome: .ok(text), timings: timings)
            statistics.frameAnswered(result, dueAt: now, sentAt: now, receivedAt: now + .milliseconds(time))
        }
        return statistics
    }

    @Test func theTableIsAligned() {
        let report = ReplayReport(
            statistics: Self.statistics([1, 2, 12_345]),
            connections: 2,
            elapsed: .milliseconds(12_400),
            outcomes: [.success(StreamPlayer.Outcome(ending: .truncated(byteCount: 3)))]
        )
        let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "played    12.4 s on 2 connections, 0.2 frames/s answered")
        #expect(lines[1] == "frames    sent 3, read 3, errors 0")
        #expect(lines[2] == "")
        #expect(lines[3] == "milliseconds              p50       p90       p99       max")
        #expect(lines[4] == "server: queue            0.01      0.01      0.01      0.01")
        #expect(Set(lines[3...11].map(\.count)).count == 1)
        #expect(lines[11].hasPrefix("since due "))
        #expect(lines[12].hasPrefix("note      the session is cut off: its last 3 bytes"))
    }

    @Test func errorsLossesAndLatenessAreSaid() {
        var statistics = Self.statistics([1])
        statistics.frameSent(lateBy: .milliseconds(40))
        for code in [WireError.Code.jpegCorrupt, .badDimensions, .jpegCorrupt] {
            let outcome = FrameResult.Outcome.error(WireError(code, ""))
            let result = FrameResult(sequence: 0, capturedMicroseconds: 0, outcome: outcome, timings: FrameTimings())
            statistics.frameAnswered(result, dueAt: .now, sentAt: .now, receivedAt: .now)
        }
        statistics.frameLost()
        let failure = ReplayError(.unanswered, "gone")
        let report = ReplayReport(
            statistics: statistics,
            connections: 1,
            elapsed: .seconds(1),
            outcomes: [.failure(failure)]
        )
        #expect(report.text.contains("errors 3 (bad_dimensions 1, jpeg_corrupt 2), lost 1"))
        #expect(
            report.text.contains("late      1 of them sent more than 10 ms after they were due, at most 40.0 ms")
        )
        #expect(report.failures == ["connection 1 of 1: gone"])
    }

    @Test func theProgressLineTellsTheLastInterval() {
        let progress = Replay.Progress(
            elapsed: .milliseconds(61_400),
            interval: .seconds(2),
            total: Self.statistics([1, 2, 3]),
            recent: Self.statistics([7])
        )
        #expect(ProgressLine(progress).text == "61 s  sent 3  answered 3  0.5 frames/s  p50 7.0 ms  p99 7.0 ms")
    }

    @Test(arguments: [
        (0, 1, "0.0"), (0.05, 1, "0.1"), (1234.5678, 2, "1234.57"), (9.999, 2, "10.00"), (-0.01, 1, "0.0"),
        (-2.5, 1, "-2.5"), (61.6, 0, "62"),
    ])
    func numbersAreRounded(value: Double, places: Int, text: String) {
        #expect(LatencyTable.number(value, places: places) == text)
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
