import SeededRandom
import Testing

@testable import GlyphwireReplay

@Suite struct FrameScheduleTests {
    private static func times(
        _ captured: [UInt64],
        pace: FrameSchedule.Pace = .recorded(speed: 1)
    ) -> (times: [Duration], guessed: Int) {
        var schedule = FrameSchedule(pace)
        let times = captured.map { schedule.next(capturedMicroseconds: $0) }
        return (times, schedule.guessedGaps)
    }

    @Test func recordedGapsAreKept() {
        let (times, guessed) = Self.times([5_000_000, 5_100_000, 5_100_000, 5_350_000])
        #expect(times == [0, 100, 100, 350].map { .milliseconds($0) })
        #expect(guessed == 0)
    }

    @Test func speedShortensGaps() {
        let (times, _) = Self.times([1_000, 101_000, 301_000], pace: .recorded(speed: 4))
        #expect(times == [0, 25, 75].map { .milliseconds($0) })
    }

    @Test func aRateIsKeptWithoutDrift() {
        let (times, _) = Self.times([UInt64](repeating: 0, count: 30_001), pace: .rate(30))
        #expect(times[1] == .seconds(1.0 / 30))
        #expect(times[30_000] == .seconds(1000))
    }

    @Test func unknownTimesGiveThirtyFramesASecond() {
        let (times, guessed) = Self.times([0, 0, 0])
        #expect(times == [0, 33_333, 66_666].map { .microseconds($0) })
        #expect(guessed == 2)
    }

    @Test(arguments: [0, 900_000, 61_200_000, UInt64.max] as [UInt64])
    func aClockThatWasSetTakesTheGapBefore(captured: UInt64) {
        let (times, guessed) = Self.times([1_000_000, 1_100_000, captured])
        #expect(times == [0, 100, 200].map { .milliseconds($0) })
        #expect(guessed == 1)
    }

    @Test func aSessionThatBeginsAgainGoesOn() {
        var schedule = FrameSchedule(.recorded(speed: 1))
        var times: [Duration] = []
        for _ in 0..<2 {
            for captured in [1_000_000, 1_040_000, 1_080_000] as [UInt64] {
                times.append(schedule.next(capturedMicroseconds: captured))
            }
            schedule.startOver()
        }
        #expect(times == [0, 40, 80, 120, 160, 200].map { .milliseconds($0) })
        #expect(schedule.guessedGaps == 0)
    }

    private static func arrivals(seed: UInt64, stream: Int = 0, count: Int = 20_000) -> [Duration] {
        var schedule = FrameSchedule(.poisson(rate: 100, seed: seed), stream: stream)
        return (0..<count).map { _ in schedule.next(capturedMicroseconds: 0) }
    }

    @Test func aSeedRepeatsItsScheduleExactly() {
        #expect(Self.arrivals(seed: 7) == Self.arrivals(seed: 7))
        #expect(Self.arrivals(seed: 7) != Self.arrivals(seed: 8))
        #expect(Self.arrivals(seed: 7) != Self.arrivals(seed: 7, stream: 1))
        // The first numbers of this seed as published by the generator's authors, so that later versions repeat them.
        var chance = SplitMix64(1_234_567)
        #expect(chance.next() == 6_457_827_717_110_365_317)
        #expect(chance.next() == 3_203_168_211_198_807_973)
    }

    @Test func independentArrivalsHaveTheirRateAndSpread() {
        let times = Self.arrivals(seed: 1).map { $0.milliseconds }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean - 10) < 0.3)
        // The standard deviation of gaps between independent events equals their mean.
        #expect(abs(variance.squareRoot() - 10) < 0.5)
        #expect(gaps.allSatisfy { $0 >= 0 })
    }
}
