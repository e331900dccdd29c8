package import GlyphwireProtocol
internal import TextModel

/// Outcome of a run.
package struct ReplayOutcome: Sendable {
    /// Statistics of the frames after the warm-up.
    package var statistics: ReplayStatistics
    /// Frames of each connection after the warm-up.
    package var shares: [ConnectionShare] = []
    /// Number of frames that were due during the warm-up.
    package var warmUpFrames = 0
    /// Timeline of the run, second by second.
    package var timeline: [TimelineEntry] = []
    /// Agreement with the expectation; `nil` without one.
    package var agreement: Agreement?
    /// Collected results as an expectation for another run; `nil` unless requested.
    package var learned: Expectation?
    /// `hello` of the server.
    package var server: Hello?
    /// Time from when the first frame was due to the last result or, if later, to the planned end of a broken stream.
    package var elapsed: Duration
    /// Notices for the user, without duplicates.
    package var notices: [String]
    /// Failures of streams, with their numbers; empty if there are none.
    package var failures: [String]
    /// Failure of the log of frames; `nil` if there is none.
    package var logFailure: String?

    init(
        statistics: ReplayStatistics,
        shares: [ConnectionShare] = [],
        warmUpFrames: Int = 0,
        timeline: [TimelineEntry] = [],
        agreement: Agreement? = nil,
        learned: Expectation? = nil,
        server: Hello? = nil,
        elapsed: Duration,
        streams: [Result<StreamPlayer.Outcome, any Error>]
    ) {
        self.statistics = statistics
        self.shares = shares
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
                let failure = "connection \(index + 1) of \(streams.count): \(error)"
                self.failures.append(failure.withoutControlCharacters)
            }
        }
    }

    private static func notices(of outcome: StreamPlayer.Outcome) -> [String] {
        var notices: [String] = []
        if let notice = outcome.ending?.notice { notices.append(notice) }
        if outcome.guessedGaps > 0 {
            notices.append(
                "\(outcome.guessedGaps.counted("frame")) without a usable capture time, paced like those before, at first 30 a "
                    + "second; --rate sets the pace"
            )
        }
        return notices
    }
}
