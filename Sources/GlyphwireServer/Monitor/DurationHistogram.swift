/// Durations counted by how long they were, in buckets whose bounds never change, so that counts of several servers can be
/// added up.
public struct DurationHistogram: Sendable {
    /// The upper bounds of the buckets in microseconds, each included in its bucket; one more bucket takes what is longer.
    public static let bounds = [
        500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000,
        10_000_000,
    ]

    /// How many durations fell into each bucket, that of the longest last.
    public private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    /// All durations added up, in microseconds.
    public private(set) var sum = 0

    /// How many durations were counted.
    public var count: Int { self.counts.reduce(0, +) }

    /// Counts a duration; one below zero counts as zero.
    mutating func record(microseconds: Int) {
        let duration = max(microseconds, 0)
        // Most are short, and the bounds are few.
        let index = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        self.counts[index] += 1
        self.sum = self.sum.addingReportingOverflow(duration).partialValue
    }
}
