/// Progress of a run in one line.
package struct ProgressLine {
    /// Text of the line.
    package let text: String

    /// Creates a line about the last interval and the totals.
    package init(_ progress: Replay.Progress) {
        let seconds = max(progress.interval.milliseconds / 1000, 0.001)
        let (total, recent) = (progress.total, progress.recent)
        var parts = [
            "\(Decimals.text(progress.elapsed.milliseconds / 1000, places: 0)) s",
            "sent \(total.sent)",
            "answered \(total.answered)",
        ]
        for (status, count) in total.outcomes.sorted(by: { $0.key < $1.key }) where status != .ok {
            parts.append("\(status.text) \(count)")
        }
        if total.late > 0 { parts.append("late \(total.late)") }
        parts.append("\(Decimals.short(Double(recent.ok) / seconds)) frames/s")
        if recent.endToEnd.count > 0 {
            parts.append("p50 \(Decimals.short(recent.endToEnd.milliseconds(at: 50))) ms")
            parts.append("p99 \(Decimals.short(recent.endToEnd.milliseconds(at: 99))) ms")
        }
        if let age = progress.age { parts.append("age \(Decimals.short(age.milliseconds)) ms") }
        self.text = parts.joined(separator: "  ")
    }
}
