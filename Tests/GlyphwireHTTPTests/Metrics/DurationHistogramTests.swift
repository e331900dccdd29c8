import Testing

@testable import GlyphwireHTTP

struct DurationHistogramTests {
    @Test func aDurationFallsIntoTheFirstBucketThatHoldsIt() {
        var histogram = DurationHistogram()
        for duration in [-1, 0, 500, 501, 1_000, 10_000_000, 10_000_001, .max] {
            histogram.record(microseconds: duration)
        }
        #expect(histogram.counts == [3, 2] + [Int](repeating: 0, count: 11) + [1, 2])
        #expect(histogram.count == 8)
    }

    @Test func theSumNeverWrapsAround() {
        var histogram = DurationHistogram()
        for _ in 0..<3 { histogram.record(microseconds: .max) }
        #expect(histogram.sum == .max)
    }

    @Test func durationsAreAddedUp() {
        var histogram = DurationHistogram()
        for duration in [1, 20, 300] { histogram.record(microseconds: duration) }
        #expect(histogram.sum == 321)
    }
}
