/// Timeline entry for one second of a run, or for what was planned after its last connection broke.
///
/// A frame sent in one second and answered in the next counts as sent in the first and as answered in the second.
package struct TimelineEntry: Sendable, Codable, Equatable {
    /// Time from the start of the run to the end of this entry.
    package var seconds: Double
    /// Duration of the entry.
    package var length: Double
    /// Whether this is warm-up, which is not in the totals.
    package var isWarmUp: Bool
    /// Number of frames sent.
    package var sent: Int
    /// Number of frames read.
    package var ok: Int
    /// Frames with other outcomes.
    package var outcomes: [StatusCount]
    /// Median latency since due; `nil` if no frame was read.
    package var p50Ms: Double?
    /// 99th percentile of the latency since due; `nil` if no frame was read.
    package var p99Ms: Double?
    /// Maximum latency since due; `nil` if no frame was read.
    package var maxMs: Double?
    /// Age of the newest text on the worst connection; `nil` before a frame is due.
    package var ageMs: Double?
    /// Mean time of each stage, in milliseconds; `nil` if no frame was read.
    package var stages: StageMeans?

    init(
        seconds: Double,
        length: Double,
        isWarmUp: Bool,
        figures: ReplayStatistics,
        age: Duration?
    ) {
        self.seconds = seconds
        self.length = length
        self.isWarmUp = isWarmUp
        self.sent = figures.sent
        self.ok = figures.ok
        self.outcomes = StatusCount.list(figures.outcomes).filter { $0.status != .ok }
        self.ageMs = age?.milliseconds
        guard figures.endToEnd.count > 0 else { return }
        self.p50Ms = figures.endToEnd.milliseconds(at: 50)
        self.p99Ms = figures.endToEnd.milliseconds(at: 99)
        self.maxMs = figures.endToEnd.maxMilliseconds
        self.stages = StageMeans(figures)
    }
}
