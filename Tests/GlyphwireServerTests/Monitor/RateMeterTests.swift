import Testing

@testable import GlyphwireServer

struct RateMeterTests {
    @Test func whatHappensEvenlyHasThatRate() {
        var meter = RateMeter()
        for tick in 0..<400 { meter.record(at: tick / 10) }
        #expect(meter.perSecond(at: .milliseconds(39_999), age: .seconds(40)) > 9.9)
        #expect(meter.perSecond(at: .seconds(40), age: .seconds(40)) == 10)
    }

    @Test func whatIsYoungIsMeasuredOverItsAge() {
        var meter = RateMeter()
        for _ in 0..<6 { meter.record(at: 0) }
        #expect(meter.perSecond(at: .milliseconds(500), age: .milliseconds(500)) == 6, "at least a second counts")
        #expect(meter.perSecond(at: .seconds(2), age: .seconds(2)) == 3)
    }

    @Test func aStoppedStreamHasRateZero() {
        var meter = RateMeter()
        for _ in 0..<90 { meter.record(at: 5) }
        #expect(meter.perSecond(at: .seconds(14), age: .seconds(14)) == 10)
        #expect(meter.perSecond(at: .seconds(15), age: .seconds(15)) == 0)
        #expect(meter.perSecond(at: .seconds(1_000_000), age: .seconds(1_000_000)) == 0)
        meter.record(at: 1_000_000)
        #expect(meter.perSecond(at: .seconds(1_000_001), age: .seconds(1_000_001)) > 0.1)
    }
}
