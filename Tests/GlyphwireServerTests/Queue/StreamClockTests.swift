import Testing

@testable import GlyphwireServer

@Suite struct StreamClockTests {
    /// Times in milliseconds of frames that arrive 10 ms apart, with these capture times.
    private static func times(captured: [UInt64]) -> [Duration] {
        var clock = StreamClock()
        let start = ContinuousClock.now
        return captured.enumerated().map { index, captured in
            clock.advance(to: start + .milliseconds(10 * index), capturedMicroseconds: captured)
            return clock.time
        }
    }

    @Test func recordingsKeepTheirPace() {
        #expect(
            Self.times(captured: [7_000_000, 7_040_000, 7_080_000]) == [.zero, .milliseconds(40), .milliseconds(80)]
        )
    }

    @Test func framesWithoutCaptureTimesAreTimedByTheirArrival() {
        #expect(Self.times(captured: [0, 0, 0]) == [.zero, .milliseconds(10), .milliseconds(20)])
        #expect(Self.times(captured: [0, 40_000, 80_000]) == [.zero, .milliseconds(10), .milliseconds(50)])
    }

    @Test func aFrameThatComesBehindALaterOneTakesNoTime() {
        var clock = StreamClock()
        let start = ContinuousClock.now
        for milliseconds in [0, 30, 10, 40] {
            clock.advance(to: start + .milliseconds(milliseconds), capturedMicroseconds: 0)
        }
        #expect(clock.time == .milliseconds(40))
    }

    @Test(
        arguments: [
            5_000_000, 4_000_000, 5_000_033, 5_000_000 + 61_000_000, UInt64.max,
        ] as [UInt64]
    )
    func captureTimesThatAreNotPlausibleDoNotCount(_ second: UInt64) {
        #expect(Self.times(captured: [5_000_000, second]) == [.zero, .milliseconds(10)])
    }

    @Test func aClockThatWasSetCountsForOneFrame() {
        let times = Self.times(captured: [9_000_000, 9_040_000, 1_000_000, 1_040_000])
        #expect(times == [.zero, .milliseconds(40), .milliseconds(50), .milliseconds(90)])
    }
}
