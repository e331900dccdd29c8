internal import Histogram

/// Histogram of durations with a precision of a thousandth, of constant size in memory.
package struct LatencyHistogram: Sendable {
    private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

    /// Creates an empty histogram.
    package init() {}

    /// Number of recorded durations.
    package var count: Int { Int(self.histogram.totalCount) }

    /// Records a duration; a negative one counts as zero.
    package mutating func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        self.record(microseconds: microseconds >= 1 ? UInt64(min(microseconds, 1e15)) : 0)
    }

    /// Records a duration that the server measured.
    package mutating func record(microseconds: UInt64) {
        self.histogram.record(min(microseconds, 1_000_000_000_000_000))
    }

    /// Percentile of the durations, in milliseconds.
    package func milliseconds(at percentile: Double) -> Double {
        self.histogram.totalCount == 0 ? 0 : Double(self.histogram.valueAtPercentile(percentile)) / 1000
    }

    /// Maximum duration, in milliseconds.
    package var maxMilliseconds: Double {
        self.histogram.totalCount == 0 ? 0 : Double(self.histogram.max) / 1000
    }

    /// Mean duration, in milliseconds.
    package var meanMilliseconds: Double {
        self.histogram.totalCount == 0 ? 0 : self.histogram.mean / 1000
    }

    /// Percentiles with their values in milliseconds, each step halving the distance to 100.
    package var curve: [(percentile: Double, milliseconds: Double)] {
        guard self.histogram.totalCount > 0 else { return [] }
        return self.histogram.percentiles(ticksPerHalfDistance: 4).map { step in
            (step.percentileLevelIteratedTo, Double(step.value) / 1000)
        }
    }

    /// Adds the durations of `other`.
    package mutating func add(_ other: LatencyHistogram) {
        self.histogram.add(other.histogram)
    }
}
