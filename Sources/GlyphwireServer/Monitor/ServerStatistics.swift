internal import GlyphwireProtocol
internal import TextModel

/// Statistics of all frames of a server since its start.
struct ServerStatistics: Sendable {
    /// The frames, as `stats` lines report them.
    private(set) var frames = FrameStatistics<UInt64>()
    /// Time at which a worker last finished a frame.
    private(set) var lastWork: ContinuousClock.Instant?

    /// Counts a frame that a worker finished, or that was dropped or expired.
    mutating func frameAnswered(_ result: FrameResult) {
        let status = FrameStatus(result.outcome)
        self.frames.frameAnswered(status, result.timings, work: result.work)
        if status == .ok || status == .error { self.lastWork = .now }
    }

    /// Counts a frame that was refused before a worker had it, which says nothing about the workers.
    mutating func frameRefused(_ result: FrameResult) {
        self.frames.frameAnswered(FrameStatus(result.outcome), result.timings)
    }
}
