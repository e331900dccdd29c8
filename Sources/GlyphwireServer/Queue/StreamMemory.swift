internal import GlyphwireProtocol
internal import NIOCore
internal import TextStream

/// What the frames of one connection have told so far.
///
/// Safe to send because only the worker that has a frame of the connection in work touches it: frames that share one stand
/// alone in the ``FairQueue``, whose lock lies between one worker and the next.
final class StreamMemory: @unchecked Sendable {
    /// A frame that was read.
    private struct Known {
        let frame: FrameDescription
        let payload: ByteBuffer
        let configuration: StreamConfiguration
        let text: FrameText
    }

    let stream = TextStream()
    /// When the connection's first frame came that is remembered here.
    let start: ContinuousClock.Instant
    private var last: Known?

    /// An empty memory.
    init(start: ContinuousClock.Instant) { self.start = start }

    /// The text of a frame that is, byte for byte, the one before it, as a screen that stands still is; `nil` of another.
    func text(of job: FrameJob) -> FrameText? {
        guard let last = self.last, last.frame == job.frame, last.configuration == job.configuration,
            last.payload == job.payload
        else { return nil }
        return last.text.repeated
    }

    /// Keeps a frame and its text, `nil` where it has none, for the frame that comes next.
    func remember(_ job: FrameJob, text: FrameText?) {
        self.last = text.map {
            Known(frame: job.frame, payload: job.payload, configuration: job.configuration, text: $0)
        }
    }
}
