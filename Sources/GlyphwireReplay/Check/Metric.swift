/// A figure of a run that a condition may name.
package struct Metric: Sendable {
    /// As conditions name it.
    package let name: String
    /// What it is, for a list of all of them.
    package let meaning: String
    /// Whether it counts frames, and can be given as a share of those offered.
    let countsFrames: Bool
    /// The figure; `nil` where the run has none.
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

    /// A latency, of which a run that read nothing has none.
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

    /// All figures that conditions may name.
    package static let all: [Metric] = [
        latency("mean_ms", meaning: "latency since due, on average", \.meanMs),
        latency("p50_ms", meaning: "latency since due, its median", \.p50Ms),
        latency("p90_ms", meaning: "latency since due that 90 % of the frames kept", \.p90Ms),
        latency("p95_ms", meaning: "latency since due that 95 % of the frames kept", \.p95Ms),
        latency("p99_ms", meaning: "latency since due that 99 % of the frames kept", \.p99Ms),
        latency("p999_ms", meaning: "latency since due that 99.9 % of the frames kept", \.p999Ms),
        latency("max_ms", meaning: "latency since due, the longest", \.maxMs),
        Metric("age_ms", meaning: "age of the newest text on the connection worst off, its most") { run in
            run.timeline.filter { !$0.isWarmUp }.compactMap(\.ageMs).max()
        },
        Metric("fps", meaning: "frames read a second", { $0.fps }),
        Metric("keep_up", meaning: "frames read in time over frames offered, in percent", { $0.keepUp * 100 }),
        frames("offered", meaning: "frames that were due", \.offered),
        frames("sent", meaning: "frames that were sent", \.sent),
        frames("unsent", meaning: "frames that the socket had no room for") { $0.count(of: FrameStatus.unsent.status) },
        frames("late", meaning: "frames sent more than 10 ms after they were due", \.late),
        frames("ok", meaning: "frames that were read", \.ok),
        frames("dropped", meaning: "frames that the server dropped") { $0.count(of: "dropped") },
        frames("expired", meaning: "frames that were too old when their turn came") { $0.count(of: "expired") },
        frames("errors", meaning: "frames that the server could not honour") { $0.count(of: "error") },
        frames("unanswered", meaning: "frames without an answer when the run was over") {
            $0.count(of: FrameStatus.unanswered.status)
        },
        frames("lost", meaning: "frames whose connection broke") { $0.count(of: FrameStatus.lost.status) },
        agreement("differing", meaning: "frames that do not say what was expected") { Double($0.framesDifferent) },
        agreement("not_read", meaning: "frames that were expected to be read, and were not") {
            Double($0.framesNotRead)
        },
        agreement("words_changed", meaning: "words that say something else than expected") { Double($0.wordsChanged) },
        agreement("words_missing", meaning: "words that were expected and not found") { Double($0.wordsMissing) },
        agreement("words_extra", meaning: "words that were found and not expected") { Double($0.wordsExtra) },
        agreement("overlap", meaning: "overlap of a word's box with the one expected, the least, 0 to 1", \.minOverlap),
        agreement("centre_px", meaning: "pixels from a character to where it was expected, the most", \.maxCentreError),
    ]
}
