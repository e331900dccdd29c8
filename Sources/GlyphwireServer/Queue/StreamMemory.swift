internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import TextTracking

/// Memory of one stream: its tracked text, and its last frame to detect repeated ones.
///
/// Safe to send because only the worker that has a frame of the connection in work touches it: frames that share a memory are
/// exclusive in the ``FairQueue``, whose lock lies between one worker and the next.
final class StreamMemory: @unchecked Sendable {
    /// Last frame that was read.
    private struct LastFrame {
        let frame: FrameDescription
        let payload: ByteBuffer
        let configuration: StreamConfiguration
        let text: FrameText
    }

    let stream = TextStream()
    /// The arrival of the first frame of this memory.
    let start: ContinuousClock.Instant
    private var last: LastFrame?
    private let budget: MemoryBudget
    /// Bytes last reported to the budget.
    private var reportedByteCount = 0

    /// An empty memory, within what is left of `budget` when a frame was read.
    init(start: ContinuousClock.Instant, budget: MemoryBudget) {
        self.start = start
        self.budget = budget
    }

    deinit { self.budget.add(-self.reportedByteCount) }

    /// The text of a frame that repeats the last one byte for byte, as frames of a still screen do.
    ///
    /// It is `nil` for another frame, and where some text waits for a scan of the whole frame.
    func text(of job: FrameJob) -> FrameText? {
        guard let last = self.last, last.frame == job.frame, last.configuration == job.configuration,
            last.payload == job.payload, !self.stream.awaitsFullScan
        else { return nil }
        return last.text.repeated
    }

    /// Keeps a frame and its text, `nil` where it has none, for the frame that comes next.
    ///
    /// Where all streams together exceed the budget, the memory is freed instead, so that this stream is read frame by frame.
    func remember(_ job: FrameJob, text: FrameText?) {
        self.last = text.map {
            LastFrame(frame: job.frame, payload: job.payload, configuration: job.configuration, text: $0)
        }
        self.report((self.last?.payload.readableBytes ?? 0) + self.stream.byteCount)
        guard self.budget.isExceeded else { return }
        self.last = nil
        self.stream.release()
        self.report(0)
    }

    private func report(_ byteCount: Int) {
        self.budget.add(byteCount - self.reportedByteCount)
        self.reportedByteCount = byteCount
    }
}
