package import GlyphwireProtocol
internal import TextModel

/// What a run has shown.
package struct ReplayOutcome: Sendable {
    /// What became of the frames after the warm-up.
    package var statistics: ReplayStatistics
    /// Frames that were sent before that.
    package var warmUpFrames = 0
    /// How it went, second by second.
    package var timeline: [TimelineEntry] = []
    /// How far the results are what was expected; `nil` if nothing was.
    package var agreement: Agreement?
    /// What was read, to be expected of another run; `nil` unless that was asked for.
    package var learned: Expectation?
    /// What the server says of itself.
    package var server: Hello?
    /// From when the first frame was due to the last result.
    package var elapsed: Duration
    /// What a person should know beside the figures, each once.
    package var notices: [String]
    /// Why streams failed, with the number of each; empty if none did.
    package var failures: [String]

    init(
        statistics: ReplayStatistics,
        warmUpFrames: Int = 0,
        timeline: [TimelineEntry] = [],
        agreement: Agreement? = nil,
        learned: Expectation? = nil,
        server: Hello? = nil,
        elapsed: Duration,
        streams: [Result<StreamPlayer.Outcome, any Error>]
    ) {
        self.statistics = statistics
        self.warmUpFrames = warmUpFrames
        self.timeline = timeline
        self.agreement = agreement
        self.learned = learned
        self.server = server
        self.elapsed = elapsed
        self.notices = []
        self.failures = []
        for (index, stream) in streams.enumerated() {
            switch stream {
            case .success(let outcome):
                self.notices += Self.notices(of: outcome).filter { !self.notices.contains($0) }
            case .failure(let error):
                self.failures.append("connection \(index + 1) of \(streams.count): \(error)")
            }
        }
    }

    private static func notices(of outcome: StreamPlayer.Outcome) -> [String] {
        var notices: [String] = []
        if let notice = outcome.ending?.notice { notices.append(notice) }
        if outcome.guessedGaps > 0 {
            notices.append(
                "\(outcome.guessedGaps) frames have no capture time that can be followed and were paced like those before "
                    + "them, at first 30 a second; --rate sets the pace"
            )
        }
        return notices
    }
}
