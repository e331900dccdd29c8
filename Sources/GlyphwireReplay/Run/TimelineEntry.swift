/// A second of a run.
///
/// A frame that was sent in one second and answered in the next counts as sent in the one and as answered in the other.
package struct TimelineEntry: Sendable, Codable, Equatable {
    /// From the start of the run to the end of this entry.
    package var seconds: Double
    /// How long the entry is.
    package var length: Double
    /// Whether this is warm-up, and not among the totals.
    package var isWarmUp: Bool
    /// Frames that were sent.
    package var sent: Int
    /// Frames that were read.
    package var ok: Int
    /// Frames that ended otherwise.
    package var outcomes: [StatusCount]
    /// Latency since due of the frames that were read; `nil` if none was.
    package var p50Ms: Double?
    /// Latency since due of the frames that were read; `nil` if none was.
    package var p99Ms: Double?
    /// Latency since due of the frames that were read; `nil` if none was.
    package var maxMs: Double?
    /// How old the newest text is on the connection that is worst off; `nil` before there is any.
    package var ageMs: Double?
    /// Means of the stages, in milliseconds; `nil` if no frame was read.
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
