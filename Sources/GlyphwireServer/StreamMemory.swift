internal import GlyphwireProtocol
internal import TextStream

/// What the frames of one connection have told so far.
///
/// Safe to send because only the worker that has a frame of the connection in work touches it: frames that share one stand
/// alone in the ``FairQueue``, whose lock lies between one worker and the next.
final class StreamMemory: @unchecked Sendable {
    let stream = TextStream()
    /// When the connection's first frame came that is remembered here.
    let start: ContinuousClock.Instant

    /// An empty memory.
    init(start: ContinuousClock.Instant) { self.start = start }
}
