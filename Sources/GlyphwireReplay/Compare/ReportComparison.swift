#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Differences between two reports, with their statistical significance.
package struct ReportComparison: Sendable {
    /// Metric in both reports.
    package struct Row: Sendable, Equatable {
        /// Name of the metric.
        package var name: String
        /// Value in the first report.
        package var before: Double
        /// Value in the second report.
        package var after: Double
        /// Difference of two equal runs by chance, at 95 % confidence.
        package var noise: Double
        /// Whether a larger value is worse.
        package var isCost: Bool

        /// Whether the difference exceeds noise.
        package var isChange: Bool { (self.after - self.before).magnitude > self.noise }
        /// Whether the change is for the worse.
        package var isWorse: Bool { self.isChange && (self.after > self.before) == self.isCost }
    }

    /// Two runs under the same load.
    package struct Pair: Sendable {
        /// Description of the load.
        package var load: String
        /// Metrics that differ.
        package var rows: [Row]
        /// Caveats of the comparison, each in a sentence.
        package var notices: [String]
    }

    /// Pairs of runs that both reports have.
    package var pairs: [Pair]

    /// Compares the runs of two reports in order.
    ///
    /// - Throws: ``ReplayError`` if one has no run.
    package init(_ a: LoadReport, _ b: LoadReport) throws(ReplayError) {
        guard !a.runs.isEmpty, !b.runs.isEmpty else {
            throw ReplayError(.unreadable, "one of the two reports has no run; measure again")
        }
        var common: [String] = []
        if a.runs.count != b.runs.count {
            common.append(
                "one report has \(a.runs.count) runs, the other \(b.runs.count): the first of each are compared"
            )
        }
        if a.machine != b.machine { common.append("measured on different machines: \(a.machine); \(b.machine)") }
        if a.session != b.session { common.append("different sessions: \(a.session); \(b.session)") }
        self.pairs = zip(a.runs, b.runs).map { a, b in
            var notices = common
            if (a.connections, a.pace) != (b.connections, b.pace) {
                notices.append("different loads: \(a.load); \(b.load)")
            }
            let frames = min(a.frames.ok, b.frames.ok)
            if frames < 300 {
                notices.append("\(frames) frames are few; p99 is then determined by very few of them")
            }
            return Pair(load: "\(a.connections) x \(a.pace)", rows: Self.rows(a, b), notices: notices)
        }
    }

    private static func rows(_ a: RunReport, _ b: RunReport) -> [Row] {
        let spread = { (value: @escaping (TimelineEntry) -> Double?) in
            hypot(Self.spread(of: a, value), Self.spread(of: b, value))
        }
        let fps = { (entry: TimelineEntry) in entry.length > 0.5 ? Double(entry.ok) / entry.length : nil }
        let parts: [(String, KeyPath<LatencyReport, LatencySummary>)] = [
            ("since sent p50 ms", \.sinceSent), ("network p50 ms", \.wire), ("queue p50 ms", \.queue),
            ("decode p50 ms", \.decode), ("detect p50 ms", \.detect), ("recognize p50 ms", \.recognize),
        ]
        let due = [a, b].map(\.latency.sinceDue)
        let keepUp = [a, b].map { run in
            196 * (run.keepUp * (1 - run.keepUp) / Double(max(run.frames.offered, 1))).squareRoot()
        }
        return [
            Self.row("since due p50 ms", of: due, value: \.p50Ms, range: \.p50RangeMs, spread: spread(\.p50Ms)),
            Self.row("since due p99 ms", of: due, value: \.p99Ms, range: \.p99RangeMs, spread: spread(\.p99Ms)),
        ]
            + parts.map { name, part in
                let summaries = [a, b].map { $0.latency[keyPath: part] }
                return Self.row(name, of: summaries, value: \.p50Ms, range: \.p50RangeMs, spread: 0)
            } + [
                Row(name: "frames/s read", before: a.fps, after: b.fps, noise: spread(fps), isCost: false),
                Row(
                    name: "kept up %",
                    before: a.keepUp * 100,
                    after: b.keepUp * 100,
                    noise: hypot(keepUp[0], keepUp[1]),
                    isCost: false
                ),
            ]
    }

    private static func row(
        _ name: String,
        of summaries: [LatencySummary],
        value: (LatencySummary) -> Double,
        range: (LatencySummary) -> [Double],
        spread: Double
    ) -> Row {
        let values = summaries.map(value)
        let halves = summaries.map { summary in
            let range = range(summary)
            return range.count == 2 ? (range[1] - range[0]) / 2 : 0
        }
        // A histogram is exact to a thousandth of a value, and clocks to some microseconds.
        let resolution = max(values[0], values[1]) / 500 + 0.01
        return Row(
            name: name,
            before: values[0],
            after: values[1],
            noise: max(hypot(halves[0], halves[1]), spread, resolution),
            isCost: true
        )
    }

    /// Twice the standard error of a metric's mean over the seconds of a run.
    ///
    /// Successive frames are correlated, so the number of frames alone would underestimate it.
    private static func spread(of run: RunReport, _ value: (TimelineEntry) -> Double?) -> Double {
        let values = run.timeline.filter { !$0.isWarmUp }.compactMap(value)
        guard values.count > 2 else { return 0 }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
        return 2 * (variance / Double(values.count)).squareRoot()
    }
}
