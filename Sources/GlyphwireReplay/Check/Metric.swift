/// Metric of a run that a condition may use.
package struct Metric: Sendable {
    /// Numbers that a condition may compare a metric with.
    enum Scale: Sendable {
        /// A number in the metric's unit.
        case number
        /// A number of frames, or a percentage of those offered.
        case frames
        /// A share, from 0 to 1 as in the report, or a percentage.
        case share
    }

    /// Name in conditions.
    package let name: String
    /// Description of the metric with its unit, for a list of all.
    package let meaning: String
    /// Numbers to compare it with.
    let scale: Scale
    /// What a run must have for the metric to have a value.
    let requirement: String
    /// Value of the metric; `nil` if the run has none.
    let value: @Sendable (RunReport) -> Double?

    private init(
        _ name: String,
        meaning: String,
        scale: Scale = .number,
        requirement: String,
        _ value: @escaping @Sendable (RunReport) -> Double?
    ) {
        self.name = name
        self.meaning = meaning
        self.scale = scale
        self.requirement = requirement
        self.value = value
    }

    /// Creates a latency metric, which has no value where frames without a result leave this percentile unknown.
    private static func latency(
        _ name: String,
        meaning: String,
        upTo percentile: Double,
        minCount: Int = 1,
        _ value: @escaping @Sendable (LatencySummary) -> Double
    ) -> Metric {
        let share = "\(Decimals.text(100 - percentile, places: 1)) % without a result"
        let requirement = "frames that were read, \(minCount) or more, and at most \(share)"
        return Metric(name, meaning: "\(meaning), in ms", requirement: requirement) { run in
            let summary = run.latency.sinceDue
            return summary.count < minCount || run.isUnknown(percentile: percentile) ? nil : value(summary)
        }
    }

    private static func percentile(
        _ percentile: Double,
        _ name: String,
        meaning: String,
        value: @escaping @Sendable (LatencySummary) -> Double
    ) -> Metric {
        let minCount = LatencySummary.minCount(for: percentile)
        return Self.latency(name, meaning: meaning, upTo: percentile, minCount: minCount, value)
    }

    private static func frames(
        _ name: String,
        meaning: String,
        _ value: @escaping @Sendable (FrameCounts) -> Int
    ) -> Metric {
        Metric(name, meaning: meaning, scale: .frames, requirement: "a frame that was due") { run in
            run.frames.offered == 0 ? nil : Double(value(run.frames))
        }
    }

    private static func frames(_ name: String, meaning: String, status: String) -> Metric {
        Self.frames(name, meaning: meaning) { $0.count(of: status) }
    }

    private static func agreement(
        _ name: String,
        meaning: String,
        scale: Scale = .number,
        requirement: String? = nil,
        _ value: @escaping @Sendable (Agreement) -> Double?
    ) -> Metric {
        let requirement = ["--expect", requirement].compactMap(\.self).joined(separator: ", and ")
        return Metric(name, meaning: meaning, scale: scale, requirement: requirement) { $0.agreement.flatMap(value) }
    }

    /// Creates a metric of the compared frames, which has no value where there are none.
    private static func compared(
        _ name: String,
        meaning: String,
        _ value: @escaping @Sendable (Agreement) -> Int
    ) -> Metric {
        Self.agreement(name, meaning: meaning, requirement: "a frame that was compared") { agreement in
            agreement.framesCompared == 0 ? nil : Double(value(agreement))
        }
    }
}

extension Metric {
    /// Metrics with their meanings, one a line.
    package static var list: String {
        let width = Self.all.map(\.name.count).max() ?? 0
        return Self.all.map { metric in
            "  \(metric.name)\(String(repeating: " ", count: width - metric.name.count))  \(metric.meaning)"
        }.joined(separator: "\n")
    }

    /// All metrics that conditions may use.
    package static let all: [Metric] = Self.latencies + Self.counts + Self.agreements

    private static let latencies: [Metric] = [
        latency("mean_ms", meaning: "mean latency since due", upTo: 100, \.meanMs),
        percentile(50, "p50_ms", meaning: "median latency since due", value: \.p50Ms),
        percentile(90, "p90_ms", meaning: "90th percentile of the latency since due", value: \.p90Ms),
        percentile(95, "p95_ms", meaning: "95th percentile of the latency since due", value: \.p95Ms),
        percentile(99, "p99_ms", meaning: "99th percentile of the latency since due", value: \.p99Ms),
        percentile(99.9, "p999_ms", meaning: "99.9th percentile of the latency since due", value: \.p999Ms),
        latency("max_ms", meaning: "maximum latency since due", upTo: 100, \.maxMs),
        Metric(
            "age_ms",
            meaning: "maximum age of a connection's newest text, in ms",
            requirement: "a frame that was due after the warm-up"
        ) { run in
            run.timeline.filter { !$0.isWarmUp }.compactMap(\.ageMs).max()
        },
    ]

    private static let counts: [Metric] = [
        Metric("fps", meaning: "frames read a second", requirement: "a time after the warm-up") { run in
            run.measuredSeconds > 0 ? run.fps : nil
        },
        Metric(
            "keep_up",
            meaning: "share of offered frames read in time, 0 to 1 or in %",
            scale: .share,
            requirement: "a frame that was due"
        ) { run in
            run.frames.offered == 0 ? nil : run.keepUp
        },
        frames("offered", meaning: "frames that were due", \.offered),
        frames("sent", meaning: "frames that were sent", \.sent),
        frames("unsent", meaning: "frames for which the socket had no room", status: FrameStatus.unsent.status),
        frames("late", meaning: "frames sent more than 10 ms after they were due", \.late),
        frames("ok", meaning: "frames that were read", \.ok),
        frames("dropped", meaning: "frames that the server dropped", status: "dropped"),
        frames("expired", meaning: "frames whose deadline had passed", status: "expired"),
        frames("errors", meaning: "frames answered with an error", status: "error"),
        frames("unanswered", meaning: "frames not answered after the run", status: FrameStatus.unanswered.status),
        frames("lost", meaning: "frames lost with their connection", status: FrameStatus.lost.status),
    ]

    private static let agreements: [Metric] = [
        agreement("compared", meaning: "frames compared with the expected text") { Double($0.framesCompared) },
        compared("same", meaning: "frames with the expected text", \.framesSame),
        compared("differing", meaning: "frames that differ from the expected text", \.framesDifferent),
        agreement(
            "not_read",
            meaning: "frames with an expectation that were not read",
            requirement: "a frame that is in it"
        ) { agreement in
            agreement.framesCompared + agreement.framesNotRead == 0 ? nil : Double(agreement.framesNotRead)
        },
        agreement("unknown", meaning: "frames without an expectation") { Double($0.framesUnknown) },
        compared("words_changed", meaning: "words with another text than expected", \.wordsChanged),
        compared("words_missing", meaning: "words that were expected and not found", \.wordsMissing),
        compared("words_extra", meaning: "words that were found and not expected", \.wordsExtra),
        agreement(
            "overlap",
            meaning: "minimum overlap of a word's boxes, 0 to 1 or in %",
            scale: .share,
            requirement: "a word that matched"
        ) {
            $0.overlap?.min
        },
        agreement(
            "centre_px",
            meaning: "maximum error of a character's centre, in pixels",
            requirement: "a character of a word that matched"
        ) {
            $0.centreError?.max
        },
    ]
}
