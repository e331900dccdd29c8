/// How a run stands, in one line.
package struct ProgressLine {
    /// The line.
    package let text: String

    /// A line about the last interval and the counts so far.
    package init(_ progress: Replay.Progress) {
        let seconds = max(progress.interval.milliseconds / 1000, 0.001)
        let (total, recent) = (progress.total, progress.recent)
        var parts = [
            "\(LatencyTable.number(progress.elapsed.milliseconds / 1000, places: 0)) s",
            "sent \(total.sent)",
            "answered \(total.answered)",
        ]
        if total.answered > total.ok { parts.append("errors \(total.answered - total.ok)") }
        if total.lost > 0 { parts.append("lost \(total.lost)") }
        if total.late > 0 { parts.append("late \(total.late)") }
        parts.append("\(ReplayReport.number(Double(recent.answered) / seconds)) frames/s")
        if recent.endToEnd.count > 0 {
            parts.append("p50 \(ReplayReport.number(recent.endToEnd.milliseconds(at: 50))) ms")
            parts.append("p99 \(ReplayReport.number(recent.endToEnd.milliseconds(at: 99))) ms")
        }
        self.text = parts.joined(separator: "  ")
    }
}
