internal import Histogram

/// Histogram of durations, exact to a thousandth of their size, of constant size in memory.
package struct LatencyHistogram: Sendable {
    private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

    /// A histogram of nothing.
    package init() {}

    /// How many durations were recorded.
    package var count: Int { Int(self.histogram.totalCount) }

    /// Counts a duration; one below zero counts as zero.
    package mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        self.record(microseconds: microseconds >= 1 ? UInt64(min(microseconds, 1e15)) : 0)
    }

    /// Counts a duration that the server measured.
    package mutating func record(microseconds: UInt64) {
        self.histogram.record(min(microseconds, 1_000_000_000_000_000))
    }

    /// The duration, in milliseconds, that `percentile` of a hundred did not exceed.
    package func milliseconds(at percentile: Double) -> Double {
        self.histogram.totalCount == 0 ? 0 : Double(self.histogram.valueAtPercentile(percentile)) / 1000
    }

    /// The longest duration, in milliseconds.
    package var maxMilliseconds: Double {
        self.histogram.totalCount == 0 ? 0 : Double(self.histogram.max) / 1000
    }

    /// The mean, in milliseconds.
    package var meanMilliseconds: Double {
        self.histogram.totalCount == 0 ? 0 : self.histogram.mean / 1000
    }

    /// Percentiles with their milliseconds, each step halving the rest above it, up to 100.
    package var curve: [(percentile: Double, milliseconds: Double)] {
        guard self.histogram.totalCount > 0 else { return [] }
        return self.histogram.percentiles(ticksPerHalfDistance: 4).map { step in
            (step.percentileLevelIteratedTo, Double(step.value) / 1000)
        }
    }

    /// Counts what `other` counted.
    package mutating func add(_ other: LatencyHistogram) {
        self.histogram.add(other.histogram)
    }
}
