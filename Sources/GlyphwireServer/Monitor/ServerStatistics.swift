internal import GlyphwireProtocol
internal import TextModel

/// Statistics of all frames of a server since its start.
struct ServerStatistics: Sendable {
    /// The frames, as `stats` lines report them.
    private(set) var frames = FrameStatistics<UInt64>()
    /// When a worker has last finished a frame.
    private(set) var lastWork: ContinuousClock.Instant?

    /// Counts a frame that was answered.
    mutating func frameAnswered(_ result: FrameResult) {
        let status = FrameStatus(result.outcome)
        self.frames.frameAnswered(status, result.timings)
        if status == .ok || status == .error { self.lastWork = .now }
    }
}
