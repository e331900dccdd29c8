internal import GlyphwireProtocol
internal import TextModel

/// Statistics of all frames of a server since its start.
struct ServerStatistics: Sendable {
    /// The frames, as `stats` lines report them.
    private(set) var frames = FrameStatistics<UInt64>()
    /// Time at which a worker last finished a frame.
    private(set) var lastWork: ContinuousClock.Instant?

    /// Counts an answered frame.
    mutating func frameAnswered(_ result: FrameResult) {
        let status = FrameStatus(result.outcome)
        self.frames.frameAnswered(status, result.timings)
        if status == .ok || status == .error { self.lastWork = .now }
    }
}
