internal import GlyphwireProtocol

/// All that is known of one frame of a run.
struct FrameRecord: Sendable {
    /// The connection, counted from 0.
    var stream: Int
    /// The number that the frame was sent with.
    var sequence: UInt64
    /// The number that the session has for it, however often it was played.
    var recordedSequence: UInt64
    var status: FrameStatus
    var dueAt: ContinuousClock.Instant
    var sentAt: ContinuousClock.Instant?
    /// When its result came, or it was certain that none would.
    var endedAt: ContinuousClock.Instant
    var timings = FrameTimings()
}
