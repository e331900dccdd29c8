internal import Dispatch
package import GlyphwireClient
internal import NIOConcurrencyHelpers

/// Mailbox between a source and the sender of its frames, which bounds the frames in memory.
///
/// Of a live source it holds the newest frame, and older ones are dropped. Otherwise it holds a few, and the source waits.
/// A frame is taken only while fewer than ``window`` frames are unanswered, so that a live frame is as new as it can be.
package final class FrameMailbox: Sendable {
    /// Number of frames that wait for the sender where none is dropped: one is decoded while another is sent.
    private static let capacity = 2

    private struct State {
        var frames: [Frame] = []
        var unanswered = 0
        var isFinished = false
        var arrivals = 0
        var rejections = 0
        var rejectionReason = ""
        var onNextArrival: (@Sendable (Frame) -> Void)?
        /// Ends once no frame waits or is unanswered.
        var onAnswered: AsyncStream<Void>.Continuation?
        var onBadPicture: (@Sendable (String) -> Void)?
        var taker: CheckedContinuation<Frame?, Never>?
    }

    private let isLive: Bool
    /// Maximum number of frames that are sent and not answered.
    private let window: Int
    private let state = NIOLockedValueBox(State())
    private let room = DispatchSemaphore(value: 0)

    /// Creates an empty mailbox.
    ///
    /// - Parameter isLive: Whether a newer frame replaces one that waits.
    package init(isLive: Bool) {
        self.isLive = isLive
        // The second frame of a file is sent while the first is read.
        self.window = isLive ? 1 : 2
        // A semaphore that began with them could not be freed while frames wait.
        for _ in 0..<Self.capacity { self.room.signal() }
    }

    /// Number of frames that have come, whether they were put into the mailbox or skipped.
    package var arrivals: Int { self.state.withLockedValue(\.arrivals) }

    /// Number of frames that have come, but cannot be used.
    package var rejections: Int { self.state.withLockedValue(\.rejections) }

    /// Why the last of them cannot be used.
    var rejectionReason: String { self.state.withLockedValue(\.rejectionReason) }

    /// Puts a frame into the mailbox; where none is dropped, blocks the thread while it is full.
    ///
    /// - Parameter frame: The newest frame of the source.
    package func put(_ frame: Frame) {
        if !self.isLive { self.room.wait() }
        let onArrival = self.state.withLockedValue { state in
            defer { state.onNextArrival = nil }
            return state.onNextArrival
        }
        onArrival?(frame)
        var isAccepted = true
        self.handOver { state in
            state.arrivals += 1
            isAccepted = !state.isFinished
            guard isAccepted else { return }
            if self.isLive { state.frames.removeAll(keepingCapacity: true) }
            state.frames.append(frame)
        }
        // The room that this frame did not take is the next one's.
        if !isAccepted { self.room.signal() }
    }

    /// Records that a frame has come which is not needed.
    func skip() { self.state.withLockedValue { $0.arrivals += 1 } }

    /// Records that frames of a stream have come which cannot be used.
    func reject(_ count: Int) {
        self.state.withLockedValue { state in
            state.rejections += count
            state.rejectionReason = "what came was cut off or too large"
        }
    }

    /// Records that a picture has come which cannot be used, and reports it.
    func rejectPicture(for reason: String) {
        let onBadPicture = self.state.withLockedValue { state in
            state.rejections += 1
            state.rejectionReason = reason
            return state.onBadPicture
        }
        onBadPicture?(reason)
    }

    /// Sets what to call before the next frame that is put into the mailbox, once.
    func onNextArrival(_ body: @escaping @Sendable (Frame) -> Void) {
        self.state.withLockedValue { $0.onNextArrival = body }
    }

    /// Waits until all frames are answered, for a time at most.
    func waitForAnswers(atMost time: Duration) async {
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        self.handOver { $0.onAnswered = answered }
        let limit = Task {
            try await Task.sleep(for: time)
            answered.finish()
        }
        for await _ in answers {}
        limit.cancel()
    }

    /// Sets what to call with the reason when a picture has come which cannot be used.
    func onBadPicture(_ body: @escaping @Sendable (String) -> Void) {
        self.state.withLockedValue { $0.onBadPicture = body }
    }

    /// Waits for the next frame, and until it may be sent.
    ///
    /// - Returns: The frame; `nil` after the last one, or if the task is cancelled.
    package func take() async -> Frame? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.handOver { $0.taker = continuation }
            }
        } onCancel: {
            self.cancel()
        }
    }

    /// Records that a taken frame was answered.
    package func answered() {
        self.handOver { $0.unanswered -= 1 }
    }

    /// Ends the mailbox after the frames that wait.
    package func finish() {
        self.handOver { $0.isFinished = true }
    }

    /// Ends the mailbox at once, and releases a thread that waits to put a frame.
    package func cancel() {
        self.handOver { state in
            state.isFinished = true
            state.frames = []
        }
        self.room.signal()
    }

    /// Changes the state, and hands a frame to the taker if one may be sent.
    private func handOver(_ change: (inout State) -> Void) {
        let (taker, frame) = self.state.withLockedValue { state -> (CheckedContinuation<Frame?, Never>?, Frame?) in
            change(&state)
            if state.frames.isEmpty, state.unanswered == 0 {
                state.onAnswered?.finish()
                state.onAnswered = nil
            }
            guard let taker = state.taker else { return (nil, nil) }
            if !state.frames.isEmpty, state.unanswered < self.window {
                state.unanswered += 1
                state.taker = nil
                return (taker, state.frames.removeFirst())
            }
            guard state.isFinished, state.frames.isEmpty else { return (nil, nil) }
            state.taker = nil
            return (taker, nil)
        }
        if frame != nil, !self.isLive { self.room.signal() }
        taker?.resume(returning: frame)
    }
}
