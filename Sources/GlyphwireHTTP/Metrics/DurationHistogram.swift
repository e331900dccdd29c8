/// Histogram of durations, in buckets whose bounds never change, so that the counts of several servers can be added up.
struct DurationHistogram: Sendable {
    /// The upper bounds of the buckets in microseconds, inclusive; a last bucket takes what is longer.
    static let bounds = [
        500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
        10_000_000,
    ]

    /// The number of durations in each bucket, that of the longest last.
    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// The sum of all durations, in microseconds.
    private(set) var sum = 0

    /// The number of durations.
    var count: Int { self.counts.reduce(0, +) }

    /// Records a duration; a negative one counts as zero.
    mutating func record(microseconds: Int) {
        let duration = max(microseconds, 0)
        // Most are short, and the bounds are few.
        let index = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        self.counts[index] += 1
        let (sum, isTooLarge) = self.sum.addingReportingOverflow(duration)
        self.sum = isTooLarge ? .max : sum
    }
}
