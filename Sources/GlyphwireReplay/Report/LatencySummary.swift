/// Summary of durations in milliseconds.
package struct LatencySummary: Sendable, Codable, Equatable {
    /// Point on the curve of percentiles.
    package struct Step: Sendable, Codable, Equatable {
        /// Percentile, 0...100.
        package var percentile: Double
        /// Value of the percentile in milliseconds.
        package var ms: Double
    }

    /// Number of durations.
    package var count: Int
    package var meanMs: Double
    package var p50Ms: Double
    package var p90Ms: Double
    package var p95Ms: Double
    package var p99Ms: Double
    package var p999Ms: Double
    package var maxMs: Double
    /// 95 % confidence interval of the median, from the number of frames alone.
    package var p50RangeMs: [Double]
    /// 95 % confidence interval of the 99th percentile, from the number of frames alone.
    package var p99RangeMs: [Double]
    /// Whole distribution.
    package var curve: [Step]

    /// Creates a summary of `histogram`; all zero if that is empty.
    init(_ histogram: LatencyHistogram) {
        self.count = histogram.count
        self.meanMs = histogram.meanMilliseconds
        self.p50Ms = histogram.milliseconds(at: 50)
        self.p90Ms = histogram.milliseconds(at: 90)
        self.p95Ms = histogram.milliseconds(at: 95)
        self.p99Ms = histogram.milliseconds(at: 99)
        self.p999Ms = histogram.milliseconds(at: 99.9)
        self.maxMs = histogram.maxMilliseconds
        self.p50RangeMs = Self.range(of: 50, in: histogram)
        self.p99RangeMs = Self.range(of: 99, in: histogram)
        self.curve = histogram.curve.map { Step(percentile: $0.percentile, ms: $0.milliseconds) }
    }

    /// Number of durations from which on one of them lies beyond a percentile.
    static func minCount(for percentile: Double) -> Int { Int((100 / (100 - percentile)).rounded()) }

    /// Difference that says nothing: a histogram is exact to a thousandth of a value, and clocks to some microseconds.
    static func resolution(at milliseconds: Double) -> Double { milliseconds / 500 + 0.01 }

    /// Value of a percentile in milliseconds; `nil` if there are too few durations, or it is not one of those above.
    func milliseconds(at percentile: Double) -> Double? {
        guard self.count >= Self.minCount(for: percentile) else { return nil }
        return switch percentile {
        case 50: self.p50Ms
        case 90: self.p90Ms
        case 95: self.p95Ms
        case 99: self.p99Ms
        case 99.9: self.p999Ms
        default: nil
        }
    }

    /// Cells of a table in milliseconds: the mean, the given percentiles, and the maximum.
    func cells(_ percentiles: [Double]) -> [String] {
        let values: [Double?] = [self.meanMs] + percentiles.map { self.milliseconds(at: $0) } + [self.maxMs]
        return values.map { Decimals.text(orDash: $0, places: 2) }
    }

    /// 95 % confidence interval of a percentile, from its binomial ranks.
    private static func range(of percentile: Double, in histogram: LatencyHistogram) -> [Double] {
        guard histogram.count > 0 else { return [0, 0] }
        let part = percentile / 100
        let margin = 196 * (part * (1 - part) / Double(histogram.count)).squareRoot()
        return [
            histogram.milliseconds(at: max(percentile - margin, 0)),
            histogram.milliseconds(at: min(percentile + margin, 100)),
        ]
    }
}
