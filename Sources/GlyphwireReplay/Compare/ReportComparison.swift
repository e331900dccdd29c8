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
        /// Value in the first report; `nil` where it has none.
        package var before: Double?
        /// Value in the second report; `nil` where it has none.
        package var after: Double?
        /// Difference of two equal runs by chance; `nil` for runs that are too short to estimate it.
        package var noise: Double?
        /// Whether a larger value is worse.
        package var isCost: Bool

        /// Whether the difference exceeds noise, or only one of the reports has a value.
        package var isChange: Bool {
            guard let before = self.before, let after = self.after else { return self.before != self.after }
            return self.noise.map { (after - before).magnitude > $0 } ?? false
        }

        /// Whether the change is for the worse, as it is where a value is lost.
        package var isWorse: Bool {
            guard let before = self.before, let after = self.after else { return self.isChange && self.after == nil }
            return self.isChange && (after > before) == self.isCost
        }
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

    /// Standard errors beyond which one of the ten metrics of two equal runs lies once in twenty comparisons.
    ///
    /// This is the normal distribution's quantile of 1 - 0.05 / 10 / 2, as Bonferroni has it.
    private static let standardErrors = 2.81
    /// Standard errors of the ranges in a report, which are those of one metric.
    private static let rangeStandardErrors = 1.96
    /// Frames below which a note says that p99 depends on few of them.
    private static let fewFrames = 300

    /// Pairs of runs that both reports have.
    package var pairs: [Pair]
    /// Whether the second report lacks runs of the first, other than those of a search, which has as many as it takes.
    package var lacksRuns: Bool

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
        self.lacksRuns = b.runs.count < a.runs.count && a.finding == nil
        self.pairs = zip(a.runs, b.runs).map { a, b in
            Pair(load: a.name, rows: Self.rows(a, b), notices: common + Self.notices(a, b))
        }
    }

    /// Whether a metric is worse by more than noise, or has been lost.
    package var isWorse: Bool { self.lacksRuns || self.pairs.contains { $0.rows.contains(where: \.isWorse) } }

    private static func notices(_ a: RunReport, _ b: RunReport) -> [String] {
        var notices: [String] = []
        if (a.connections, a.pace) != (b.connections, b.pace) {
            notices.append("different loads: \(a.load); \(b.load)")
        }
        for (report, run) in [("first", a), ("second", b)] {
            if let failure = run.failures.first {
                notices.append("\(run.failures.count) failures in the \(report) report, the first: \(failure)")
            }
            notices += run.caveats.map { "in the \(report) report, \($0)" }
        }
        let frames = min(a.frames.ok, b.frames.ok)
        if frames < Self.fewFrames {
            notices.append("\(frames) frames are few; p99 is then determined by very few of them")
        }
        return notices
    }

    // MARK: Rows

    private static func rows(_ a: RunReport, _ b: RunReport) -> [Row] {
        let stages: [(String, KeyPath<LatencyReport, LatencySummary>, (StageMeans) -> Double)] = [
            ("since sent p50 ms", \.sinceSent, { $0.values.dropFirst().reduce(0, +) }),
            ("network p50 ms", \.wire, { $0.wire }),
            ("queue p50 ms", \.queue, { $0.queue }),
            ("decode p50 ms", \.decode, { $0.decode }),
            ("detect p50 ms", \.detect, { $0.detect }),
            ("recognize p50 ms", \.recognize, { $0.recognize }),
        ]
        var rows = [
            Self.row(
                "since due p50 ms",
                of: [a, b].map { $0.known(\.sinceDue, at: 50) },
                value: \.p50Ms,
                range: \.p50RangeMs,
                spread: Self.spread(a, b, of: \.p50Ms)
            ),
            Self.row(
                "since due p99 ms",
                of: [a, b].map { $0.known(\.sinceDue, at: 99) },
                value: \.p99Ms,
                range: \.p99RangeMs,
                spread: Self.spread(a, b, of: \.p99Ms)
            ),
        ]
        rows += stages.map { name, part, mean in
            let summaries = [a, b].map { $0.known(part, at: 50) }
            let spread = Self.spread(a, b) { $0.stages.map(mean) }
            return Self.row(name, of: summaries, value: \.p50Ms, range: \.p50RangeMs, spread: spread)
        }
        rows += [Self.throughput(a, b), Self.keepUp(a, b)]
        let failures = [a, b].map { Double($0.failures.count) }
        if failures != [0, 0] {
            rows.append(Row(name: "failed", before: failures[0], after: failures[1], noise: 0, isCost: true))
        }
        return rows
    }

    private static func row(
        _ name: String,
        of summaries: [LatencySummary?],
        value: (LatencySummary) -> Double,
        range: (LatencySummary) -> [Double],
        spread: Double?
    ) -> Row {
        let values: [Double?] = summaries.map { summary in summary.map { value($0) } }
        let halves = summaries.map { summary in
            let ends = summary.map { range($0) } ?? []
            return ends.count == 2 ? (ends[1] - ends[0]) / 2 : 0
        }
        let ranks = hypot(halves[0], halves[1]) * Self.standardErrors / Self.rangeStandardErrors
        let resolution = LatencySummary.resolution(at: values.compactMap(\.self).max() ?? 0)
        return Row(
            name: name,
            before: values[0],
            after: values[1],
            noise: max(ranks, spread ?? 0, resolution),
            isCost: true
        )
    }

    private static func throughput(_ a: RunReport, _ b: RunReport) -> Row {
        let spread = Self.spread(a, b) { $0.length > 0.5 ? Double($0.ok) / $0.length : nil }
        // The last frame of each connection falls within the measured time or prolongs it.
        let resolutions = [a, b].map { Double($0.connections) / max($0.measuredSeconds, 0.001) }
        let noise = spread.map { max($0, hypot(resolutions[0], resolutions[1])) }
        return Row(name: "frames/s read", before: a.fps, after: b.fps, noise: noise, isCost: false)
    }

    private static func keepUp(_ a: RunReport, _ b: RunReport) -> Row {
        let errors = [a, b].map { run in
            let offered = Double(max(run.frames.offered, 1))
            // A frame more or less in time is noise too.
            return max(Self.standardErrors * (run.keepUp * (1 - run.keepUp) / offered).squareRoot(), 1 / offered)
        }
        let shares: [Double?] = [a, b].map { $0.frames.offered == 0 ? nil : $0.keepUp * 100 }
        let noise = hypot(errors[0], errors[1]) * 100
        return Row(name: "kept up %", before: shares[0], after: shares[1], noise: noise, isCost: false)
    }

    // MARK: Noise

    /// Difference of a metric's mean by chance, from how much it differs between the seconds of both runs.
    ///
    /// Successive frames are correlated, so the number of frames alone would underestimate it. It is `nil` if one of the
    /// runs has fewer than three seconds.
    private static func spread(_ a: RunReport, _ b: RunReport, of value: (TimelineEntry) -> Double?) -> Double? {
        guard let first = Self.standardError(of: a, value), let second = Self.standardError(of: b, value) else {
            return nil
        }
        return Self.standardErrors * hypot(first, second)
    }

    /// Standard error of a metric's mean over the seconds of a run; `nil` for fewer than three.
    private static func standardError(of run: RunReport, _ value: (TimelineEntry) -> Double?) -> Double? {
        let values = run.timeline.filter { !$0.isWarmUp }.compactMap(value)
        guard values.count > 2 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
        return (variance / Double(values.count)).squareRoot()
    }
}
