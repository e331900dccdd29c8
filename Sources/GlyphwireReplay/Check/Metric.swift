/// Metric of a run that a condition may use.
package struct Metric: Sendable {
    /// Name in conditions.
    package let name: String
    /// Description of the metric, for a list of all.
    package let meaning: String
    /// Whether it counts frames, so that it can be a share of the offered ones.
    let countsFrames: Bool
    /// Value of the metric; `nil` if the run has none.
    let value: @Sendable (RunReport) -> Double?

    private init(
        _ name: String,
        meaning: String,
        countsFrames: Bool = false,
        _ value: @escaping @Sendable (RunReport) -> Double?
    ) {
        self.name = name
        self.meaning = meaning
        self.countsFrames = countsFrames
        self.value = value
    }

    /// Creates a latency metric, which has no value in a run that read nothing.
    private static func latency(
        _ name: String,
        meaning: String,
        _ value: @escaping @Sendable (LatencySummary) -> Double
    ) -> Metric {
        Metric(name, meaning: meaning) { $0.latency.sinceDue.count == 0 ? nil : value($0.latency.sinceDue) }
    }

    private static func frames(
        _ name: String,
        meaning: String,
        _ value: @escaping @Sendable (FrameCounts) -> Int
    ) -> Metric {
        Metric(name, meaning: meaning, countsFrames: true) { Double(value($0.frames)) }
    }

    private static func agreement(
        _ name: String,
        meaning: String,
        _ value: @escaping @Sendable (Agreement) -> Double
    ) -> Metric {
        Metric(name, meaning: meaning) { $0.agreement.map(value) }
    }

    /// All metrics that conditions may use.
    package static let all: [Metric] = [
        latency("mean_ms", meaning: "mean latency since due", \.meanMs),
        latency("p50_ms", meaning: "median latency since due", \.p50Ms),
        latency("p90_ms", meaning: "90th percentile of the latency since due", \.p90Ms),
        latency("p95_ms", meaning: "95th percentile of the latency since due", \.p95Ms),
        latency("p99_ms", meaning: "99th percentile of the latency since due", \.p99Ms),
        latency("p999_ms", meaning: "99.9th percentile of the latency since due", \.p999Ms),
        latency("max_ms", meaning: "maximum latency since due", \.maxMs),
        Metric("age_ms", meaning: "maximum age of the newest text, on the worst connection") { run in
            run.timeline.filter { !$0.isWarmUp }.compactMap(\.ageMs).max()
        },
        Metric("fps", meaning: "frames read a second", { $0.fps }),
        Metric("keep_up", meaning: "frames read in time over frames offered, in percent", { $0.keepUp * 100 }),
        frames("offered", meaning: "frames that were due", \.offered),
        frames("sent", meaning: "frames that were sent", \.sent),
        frames("unsent", meaning: "frames for which the socket had no room") {
            $0.count(of: FrameStatus.unsent.status)
        },
        frames("late", meaning: "frames sent more than 10 ms after they were due", \.late),
        frames("ok", meaning: "frames that were read", \.ok),
        frames("dropped", meaning: "frames that the server dropped") { $0.count(of: "dropped") },
        frames("expired", meaning: "frames whose deadline had passed") { $0.count(of: "expired") },
        frames("errors", meaning: "frames answered with an error") { $0.count(of: "error") },
        frames("unanswered", meaning: "frames without an answer at the end of the run") {
            $0.count(of: FrameStatus.unanswered.status)
        },
        frames("lost", meaning: "frames lost with their connection") { $0.count(of: FrameStatus.lost.status) },
        agreement("differing", meaning: "frames that differ from the expected text") { Double($0.framesDifferent) },
        agreement("not_read", meaning: "frames that were expected to be read, and were not") {
            Double($0.framesNotRead)
        },
        agreement("words_changed", meaning: "words with another text than expected") { Double($0.wordsChanged) },
        agreement("words_missing", meaning: "words that were expected and not found") { Double($0.wordsMissing) },
        agreement("words_extra", meaning: "words that were found and not expected") { Double($0.wordsExtra) },
        agreement("overlap", meaning: "minimum overlap of a word's box with the expected one, 0 to 1", \.minOverlap),
        agreement(
            "centre_px",
            meaning: "maximum distance of a character from its expected centre, in pixels",
            \.maxCentreError
        ),
    ]
}
