internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import TextTracking

/// Tracking state of one stream: its tracked text, and its last frame for detecting repeated ones.
///
/// Safe to send because only the worker that has a frame of the connection in work touches it: frames that share
/// a state are exclusive in the ``FairQueue``, whose lock lies between one worker and the next.
final class TrackingState: @unchecked Sendable {
    /// Last frame that was read, with its text.
    private struct LastFrame {
        let frame: FrameDescription
        let payload: ByteBuffer
        let configuration: StreamConfiguration
        let text: FrameText
    }

    let stream = StreamTracker()
    private var clock = StreamClock()
    private var last: LastFrame?
    /// Texts of the last result, if the stream reports changes.
    private var changes: TextChangeTracker?
    private let budget: MemoryBudget
    /// Number of bytes last reported to the budget.
    private var reportedByteCount = 0

    /// Creates an empty state whose bytes count in `budget`.
    init(budget: MemoryBudget) {
        self.budget = budget
    }

    deinit { self.budget.add(-self.reportedByteCount) }

    /// Time of the frame in work, from the stream's first one.
    var time: Duration { self.clock.time }

    /// Begins the next frame.
    func begin(_ job: FrameJob) {
        let isRecorded = job.configuration.delivery == .every
        self.clock.advance(
            to: job.arrival.time,
            capturedMicroseconds: isRecorded ? job.capturedMicroseconds : 0
        )
    }

    /// Text of a frame that repeats the last one byte for byte, as frames of a still screen do.
    ///
    /// It is `nil` for other frames, and where the repeated picture is to be scanned again.
    func text(of job: FrameJob) -> FrameText? {
        guard let last = self.last, last.frame == job.frame, last.configuration == job.configuration,
            last.payload == job.payload, !self.awaitsScan(of: job)
        else { return nil }
        return last.text.repeated
    }

    /// Whether a frame is to be scanned even if it repeats the last one.
    private func awaitsScan(of job: FrameJob) -> Bool {
        self.stream.awaitsScan(
            at: self.time,
            refresh: .milliseconds(job.configuration.refreshMilliseconds)
        )
    }

    /// Changes of a frame's text since the last result; `nil` if the stream reports all text.
    ///
    /// After a stream has begun to report changes, all of its text has appeared.
    func changes(in text: FrameText, of job: FrameJob) -> [TextChange]? {
        guard job.configuration.report == .changes else {
            self.changes = nil
            return nil
        }
        var tracker = self.changes ?? TextChangeTracker()
        let time = UInt64(clamping: self.time.microseconds)
        defer { self.changes = tracker }
        return tracker.update(text, at: time, configuration: job.configuration)
    }

    /// Keeps a frame and its text, if any, for the next frame.
    ///
    /// If all streams together exceed the budget, the state is freed instead and this stream is read frame by frame.
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
