internal import GlyphwireProtocol

/// Record of one frame of a run.
struct FrameRecord: Sendable {
    /// Index of the connection.
    var stream: Int
    /// Sequence number as sent.
    var sequence: UInt64
    /// Sequence number in the session, the same in each playback.
    var recordedSequence: UInt64
    var status: FrameStatus
    var dueAt: ContinuousClock.Instant
    var sentAt: ContinuousClock.Instant?
    /// Time of the result, or of the certainty that there will be none.
    var endedAt: ContinuousClock.Instant
    var timings = FrameTimings()
}
