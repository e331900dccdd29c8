import GlyphwireProtocol
import Testing

@testable import GlyphwireReplay

@Suite struct ReplayStatisticsTests {
    private static func frame(
        _ status: FrameStatus = .ok,
        dueAt: ContinuousClock.Instant = .now,
        sentAt: ContinuousClock.Instant? = nil,
        endedAt: ContinuousClock.Instant = .now,
        timings: FrameTimings = FrameTimings()
    ) -> FrameRecord {
        FrameRecord(
            stream: 0,
            sequence: 0,
            recordedSequence: 0,
            status: status,
            dueAt: dueAt,
            sentAt: sentAt,
            endedAt: endedAt,
            timings: timings
        )
    }

    /// A server that takes `service` per frame, one at a time, and once stalls for `stall`.
    ///
    /// - Returns: The statistics, and every latency from due and from sent, sorted, as calculated by hand.
    private static func simulate(
        frames: Int,
        gap: Duration,
        service: Duration,
        stallBefore stalled: Int,
        stall: Duration,
        senderWaits: Bool
    ) -> (statistics: ReplayStatistics, sinceDue: [Duration], sinceSent: [Duration]) {
        var statistics = ReplayStatistics()
        let start = ContinuousClock.now
        var free = start
        var (sinceDue, sinceSent): ([Duration], [Duration]) = ([], [])
        for frame in 0..<frames {
            let due = start + gap * frame
            // A closed-loop sender sends when the server is ready; an open-loop one when the frame is due.
            let sent = senderWaits ? max(due, free) : due
            if frame == stalled { free = max(free, sent) + stall }
            let done = max(free, sent) + service
            free = done
            statistics.frameSent(lateBy: due.duration(to: sent))
            statistics.frameEnded(Self.frame(dueAt: due, sentAt: sent, endedAt: done))
            sinceDue.append(due.duration(to: done))
            sinceSent.append(sent.duration(to: done))
        }
        return (statistics, sinceDue.sorted(), sinceSent.sorted())
    }

    private static func percentile(_ percentile: Double, of sorted: [Duration]) -> Double {
        let rank = Int((percentile / 100 * Double(sorted.count)).rounded(.up))
        return sorted[max(rank, 1) - 1].milliseconds
    }

    @Test(arguments: [false, true])
    func figuresOfAKnownScheduleAreRightWithinAMillisecond(senderWaits: Bool) {
        let (statistics, sinceDue, sinceSent) = Self.simulate(
            frames: 2000,
            gap: .milliseconds(10),
            service: .milliseconds(4),
            stallBefore: 900,
            stall: .milliseconds(800),
            senderWaits: senderWaits
        )
        for percentile in [50.0, 90, 99] {
            let due = statistics.endToEnd.milliseconds(at: percentile)
            let sent = statistics.sinceSent.milliseconds(at: percentile)
            #expect(abs(due - Self.percentile(percentile, of: sinceDue)) < 1)
            #expect(abs(sent - Self.percentile(percentile, of: sinceSent)) < 1)
        }
        #expect(abs(statistics.endToEnd.maxMilliseconds - 804) < 1)
    }

    @Test func aSenderThatIsHeldUpDoesNotHideIt() {
        let (statistics, _, _) = Self.simulate(
            frames: 1000,
            gap: .milliseconds(10),
            service: .milliseconds(4),
            stallBefore: 500,
            stall: .seconds(1),
            senderWaits: true
        )
        // Since sent, one frame in a thousand was slow; since due, every frame of that second was.
        #expect(statistics.sinceSent.milliseconds(at: 99) < 5)
        #expect(statistics.endToEnd.milliseconds(at: 99) > 900)
        #expect(statistics.late > 100)
        #expect(abs(statistics.maxLateness.milliseconds - 994) < 1)
    }

    @Test func stagesAndWireAreKeptApart() {
        var statistics = ReplayStatistics()
        let now = ContinuousClock.now
        let timings = FrameTimings(queue: 1000, decode: 2000, detect: 3000, recognize: 4000, total: 10_500)
        statistics.frameEnded(
            Self.frame(
                dueAt: now,
                sentAt: now + .milliseconds(5),
                endedAt: now + .milliseconds(17),
                timings: timings
            )
        )
        let stages = [
            statistics.queue, statistics.decode, statistics.detect, statistics.recognize, statistics.server,
            statistics.wire, statistics.sinceSent, statistics.endToEnd,
        ]
        for (stage, milliseconds) in zip(stages, [1, 2, 3, 4, 10.5, 1.5, 12, 17]) {
            #expect(abs(stage.milliseconds(at: 50) - milliseconds) < 0.02)
        }
    }

    @Test func framesAreCountedByStatusAndReasonAndOnlyThoseReadAreMeasured() {
        var statistics = ReplayStatistics()
        let dropped = FrameStatus("dropped", reason: "superseded")
        let corrupt = FrameStatus("error", reason: "jpeg_corrupt")
        for status in [corrupt, corrupt, dropped, .lost, .unsent, .unanswered] {
            statistics.frameEnded(Self.frame(status, sentAt: .now))
        }
        #expect(statistics.outcomes == [corrupt: 2, dropped: 1, .lost: 1, .unsent: 1, .unanswered: 1])
        #expect(statistics.answered == 3)
        #expect(statistics.lost == 1)
        #expect(statistics.endToEnd.count == 0)
    }

    @Test func everyOutcomeIsOfAFrameThatWasOffered() {
        var statistics = ReplayStatistics()
        statistics.frameSent(lateBy: .zero)
        // The connection broke before the second was sent.
        for status in [FrameStatus.ok, .lost] { statistics.frameEnded(Self.frame(status, sentAt: .now)) }
        #expect((statistics.offered, statistics.sent, statistics.ok, statistics.lost) == (2, 1, 1, 1))
    }

    @Test func onlyWhatIsReadBeforeTheDeadlineIsInTime() {
        var statistics = ReplayStatistics(deadline: .milliseconds(100))
        let due = ContinuousClock.now
        for time in [99, 100, 101] {
            statistics.frameEnded(Self.frame(dueAt: due, sentAt: due, endedAt: due + .milliseconds(time)))
        }
        statistics.frameEnded(Self.frame(FrameStatus("dropped"), dueAt: due, sentAt: due, endedAt: due))
        #expect(statistics.inTime == 2)
    }

    @Test func extremeDurationsAreCounted() {
        var histogram = LatencyHistogram()
        histogram.record(.seconds(-1))
        histogram.record(.zero)
        histogram.record(.seconds(Int64.max / 4))
        #expect(histogram.count == 3)
        #expect(histogram.milliseconds(at: 50) == 0)
        #expect(LatencyHistogram().milliseconds(at: 99) == 0)
        #expect(LatencyHistogram().maxMilliseconds == 0)
    }
}
