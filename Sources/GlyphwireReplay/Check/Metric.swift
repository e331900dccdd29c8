/// A figure of a run that a condition may name.
package struct Metric: Sendable {
    /// As conditions name it.
    package let name: String
    /// What it is, for a list of all of them.
    package let meaning: String
    /// Whether it counts frames, so that it may be told as a part of those offered.
    let countsFrames: Bool
    /// The figure; `nil` where the run has none.
    let value: @Sendable (RunReport) -> Double?

    private init(
        _ name: String,
        _ meaning: String,
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
        _ meaning: String,
        _ value: @escaping @Sendable (LatencySummary) -> Double
    ) -> Metric {
        Metric(name, meaning) { $0.latency.sinceDue.count == 0 ? nil : value($0.latency.sinceDue) }
    }

    private static func frames(
        _ name: String,
        _ meaning: String,
        _ value: @escaping @Sendable (FrameCounts) -> Int
    ) -> Metric {
        Metric(name, meaning, countsFrames: true) { Double(value($0.frames)) }
    }

    private static func agreement(
        _ name: String,
        _ meaning: String,
        _ value: @escaping @Sendable (Agreement) -> Double
    ) -> Metric {
        Metric(name, meaning) { $0.agreement.map(value) }
    }

    /// All figures that conditions may name.
    package static let all: [Metric] = [
        latency("mean_ms", "latency since due, on average", \.meanMs),
        latency("p50_ms", "latency since due, its median", \.p50Ms),
        latency("p90_ms", "latency since due that 90 % of the frames kept", \.p90Ms),
        latency("p95_ms", "latency since due that 95 % of the frames kept", \.p95Ms),
        latency("p99_ms", "latency since due that 99 % of the frames kept", \.p99Ms),
        latency("p999_ms", "latency since due that 99.9 % of the frames kept", \.p999Ms),
        latency("max_ms", "latency since due, the longest", \.maxMs),
        Metric("age_ms", "age of the newest text on the connection worst off, its most") { run in
            run.timeline.filter { !$0.isWarmUp }.compactMap(\.ageMs).max()
        },
        Metric("fps", "frames read a second", { $0.fps }),
        Metric("keep_up", "frames read in time over frames offered, in percent", { $0.keepUp * 100 }),
        frames("offered", "frames that were due", \.offered),
        frames("sent", "frames that were sent", \.sent),
        frames("unsent", "frames that the socket had no room for") { $0.count(of: FrameStatus.unsent.status) },
        frames("late", "frames sent more than 10 ms after they were due", \.late),
        frames("ok", "frames that were read", \.ok),
        frames("dropped", "frames that the server dropped") { $0.count(of: "dropped") },
        frames("expired", "frames that were too old when their turn came") { $0.count(of: "expired") },
        frames("errors", "frames that the server could not honour") { $0.count(of: "error") },
        frames("unanswered", "frames without an answer when the run was over") {
            $0.count(of: FrameStatus.unanswered.status)
        },
        frames("lost", "frames whose connection broke") { $0.count(of: FrameStatus.lost.status) },
        agreement("differing", "frames that do not say what was expected") { Double($0.framesDifferent) },
        agreement("not_read", "frames that were expected to be read, and were not") { Double($0.framesNotRead) },
        agreement("words_changed", "words that say something else than expected") { Double($0.wordsChanged) },
        agreement("words_missing", "words that were expected and not found") { Double($0.wordsMissing) },
        agreement("words_extra", "words that were found and not expected") { Double($0.wordsExtra) },
        agreement("overlap", "overlap of a word's box with the one expected, the least, 0 to 1", \.minOverlap),
        agreement("centre_px", "pixels from a character to where it was expected, the most", \.maxCentreError),
    ]
}
