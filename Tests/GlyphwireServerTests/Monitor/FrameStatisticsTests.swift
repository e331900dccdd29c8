import GlyphwireProtocol
import TextModel
import Testing

@testable import GlyphwireServer

@Suite struct FrameStatisticsTests {
    @Test func percentilesAreWithinOnePercentOfTheTruth() {
        var statistics = FrameStatistics<UInt32>()
        for time in 1...10_000 {
            statistics.frameAnswered(
                .ok,
                FrameTimings(queue: 0, decode: 7, detect: time, recognize: 2 * time, total: 100 * time)
            )
        }
        let scope = statistics.scope
        #expect(scope.frames.ok == 10_000 && scope.frames.error == 0)
        #expect(scope.queue == Stats.Stage(count: 10_000, p50: 0, p90: 0, p99: 0, max: 0))
        #expect(scope.decode == Stats.Stage(count: 10_000, p50: 7, p90: 7, p99: 7, max: 7))
        for (stage, factor) in [(scope.detect, 1), (scope.recognize, 2), (scope.total, 100)] {
            #expect(stage.count == 10_000)
            for (value, truth) in [(stage.p50, 5000), (stage.p90, 9000), (stage.p99, 9900), (stage.max, 10_000)] {
                #expect(value >= truth * factor)
                #expect(Double(value) <= Double(truth * factor) * 1.01)
            }
        }
    }

    @Test(arguments: [1, 127, 1999, 65_537, 999_983, 1_000_003])
    func noPercentileIsPastTheLongestTime(time: Int) {
        var statistics = FrameStatistics<UInt32>()
        for _ in 1...3 { statistics.frameAnswered(.ok, FrameTimings(total: time)) }
        let total = statistics.scope.total
        #expect(total.max == time)
        #expect(max(total.p50, total.p90, total.p99) <= time)
    }

    @Test func framesThatWereNotReadAreCountedByTheirFateAndNotTimed() {
        var statistics = FrameStatistics<UInt32>()
        for (count, status) in [FrameStatus.error, .dropped, .expired].enumerated() {
            for _ in 0...count { statistics.frameAnswered(status, FrameTimings(queue: 5, total: 9)) }
        }
        #expect(statistics.scope == Stats.Scope(frames: FramesByStatus(error: 1, dropped: 2, expired: 3)))
        statistics.frameAnswered(.ok, FrameTimings(total: 3))
        #expect(statistics.counts.total == 7)
        #expect(statistics.scope.total == Stats.Stage(count: 1, p50: 3, p90: 3, p99: 3, max: 3))
    }

    @Test func trackedFramesAreCountedByTheirLargestScan() {
        var statistics = FrameStatistics<UInt32>()
        for (count, scan) in TrackingWork.Scan.allCases.enumerated() {
            for _ in 0...count {
                statistics.frameAnswered(.ok, FrameTimings(), work: TrackingWork(scan: scan, linesRead: count))
            }
        }
        statistics.frameAnswered(.ok, FrameTimings())
        let tracking = statistics.scope.tracking
        #expect(tracking == Stats.Tracking(verified: 1, regions: 2, coarse: 3, full: 4, lines: 20))
    }

    @Test func noTimeIsTooLongOrTooStrange() {
        var statistics = FrameStatistics<UInt32>()
        statistics.frameAnswered(.ok, FrameTimings(queue: -1, decode: .max, detect: .min, total: 90_000_000))
        let scope = statistics.scope
        #expect(scope.queue.max == 0 && scope.detect.max == 0)
        #expect((3_590_000_000...3_640_000_000).contains(scope.decode.max))
        #expect((90_000_000...90_900_000).contains(scope.total.p99))
    }
}
