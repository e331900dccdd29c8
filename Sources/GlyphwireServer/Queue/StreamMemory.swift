internal import GlyphwireProtocol
internal import NIOCore
internal import TextTracking

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
    private let budget: MemoryBudget
    /// What the budget was told last.
    private var told = 0

    /// An empty memory, which may hold what is left of `budget` when a frame was read.
    init(start: ContinuousClock.Instant, budget: MemoryBudget) {
        self.start = start
        self.budget = budget
    }

    deinit { self.budget.add(-self.told) }

    /// The text of a frame that is, byte for byte, the one before it, as a screen that stands still is; `nil` of another,
    /// and where some text waits for a look at the whole frame.
    func text(of job: FrameJob) -> FrameText? {
        guard let last = self.last, last.frame == job.frame, last.configuration == job.configuration,
            last.payload == job.payload, !self.stream.awaitsFullScan
        else { return nil }
        return last.text.repeated
    }

    /// Keeps a frame and its text, `nil` where it has none, for the frame that comes next; but lets go of all frames where
    /// the streams of the server remember more than they may, so that this one is read frame by frame.
    func remember(_ job: FrameJob, text: FrameText?) {
        self.last = text.map {
            Known(frame: job.frame, payload: job.payload, configuration: job.configuration, text: $0)
        }
        self.tell((self.last?.payload.readableBytes ?? 0) + self.stream.byteCount)
        guard self.budget.isExceeded else { return }
        self.last = nil
        self.stream.release()
        self.tell(0)
    }

    private func tell(_ byteCount: Int) {
        self.budget.add(byteCount - self.told)
        self.told = byteCount
    }
}
