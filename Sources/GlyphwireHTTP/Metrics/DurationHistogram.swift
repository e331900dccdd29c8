/// Histogram of durations with fixed bucket bounds, so that the counts of several servers can be added.
struct DurationHistogram: Sendable {
    /// Inclusive upper bounds of the buckets in microseconds; a last bucket takes longer durations.
    static let bounds = [
        500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
        10_000_000,
    ]

    /// Number of durations in each bucket; the last is for the longest.
    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// Sum of all durations, in microseconds.
    private(set) var sum = 0

    /// Number of durations.
    var count: Int { self.counts.reduce(0, +) }

    /// Records a duration; a negative one counts as zero.
    mutating func record(microseconds: Int) {
        let duration = max(microseconds, 0)
        // Most durations are short, and there are few bounds.
        let index = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        self.counts[index] += 1
        let (sum, isTooLarge) = self.sum.addingReportingOverflow(duration)
        self.sum = isTooLarge ? .max : sum
    }
}
