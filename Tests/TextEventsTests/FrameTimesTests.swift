import Testing

@testable import TextEvents

@Suite struct FrameTimesTests {
    @Test func aClockThatIsSetBackChangesTheTimesOfEventsOnly() {
        var times = FrameTimes(isLive: true)
        let start = ContinuousClock.now + .seconds(1)
        times.advance(to: 7_200_000_000, now: start)
        let before = times.elapsed
        times.advance(to: 3_600_000_000, now: start + .seconds(2))
        #expect(times.event == 3_600_000_000)
        #expect(times.elapsed - before == 2_000_000)
    }

    @Test func sourcesHaveOneClock() {
        let start = ContinuousClock.now + .seconds(1)
        var (first, second) = (FrameTimes(isLive: true), FrameTimes(isLive: true))
        first.advance(to: 1, now: start)
        second.advance(to: 1, now: start + .seconds(1))
        #expect(second.elapsed - first.elapsed == 1_000_000)
    }

    @Test func positionsInAFileAreItsTimesAndNeverRunBackwards() {
        var times = FrameTimes(isLive: false)
        let positions: [UInt64] = [0, 40_000, 20_000, 80_000]
        let events = positions.map { position in
            times.advance(to: position)
            return times.event
        }
        #expect(events == [0, 40_000, 40_000, 80_000])
        #expect(times.elapsed == 80_000)
    }
}
