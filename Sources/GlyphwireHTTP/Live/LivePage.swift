internal import NIOConcurrencyHelpers
internal import NIOCore

/// Queue of one open live page, with only the newest frame of each stream, as ``WaitingFrames`` limits them.
final class LivePage: Sendable {
    /// Item of the queue.
    enum Item: Sendable {
        /// A frame.
        case frame(LiveFrame)
        /// The status of the streams at the time of writing.
        case streams
    }

    fileprivate struct State: Sendable {
        var frames: WaitingFrames<LiveFrame>
        var owesStreams = true
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Number of changes of the server's tokens before the page's token was checked.
    let tokenChanges: Int
    private let state: NIOLockedValueBox<State>

    /// Creates a page that owes the status of the streams.
    ///
    /// - Parameters:
    ///   - tokenChanges: The number of changes of the server's tokens before the page's token was checked.
    ///   - maxBytes: The maximum number of bytes of waiting frames.
    init(tokenChanges: Int, maxBytes: Int) {
        self.tokenChanges = tokenChanges
        self.state = NIOLockedValueBox(State(frames: WaitingFrames(maxBytes: maxBytes)))
    }

    /// Queues a frame, which replaces an older one of its stream.
    func show(_ frame: LiveFrame, of stream: UInt64) {
        self.change { $0.frames.add(frame, byteCount: frame.byteCount, of: stream) }
    }

    /// Drops the waiting frames of all streams but the open ones.
    func dropFrames(except open: Set<UInt64>) { self.change { $0.frames.removeAll(except: open) } }

    /// Queues the status of the streams.
    func showStreams() { self.change { $0.owesStreams = true } }

    /// Closes the page.
    func close() { self.change { $0.isClosed = true } }

    /// The next item, once there is one; `nil` after the page is closed.
    func next() async -> Item? {
        while true {
            let (item, isClosed) = self.state.withLockedValue { state in (state.take(), state.isClosed) }
            if isClosed { return nil }
            if let item { return item }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isDue = self.state.withLockedValue { state in
                        if state.isDue { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            } onCancel: {
                self.close()
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = self.state.withLockedValue { state in
            body(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

extension LivePage.State {
    fileprivate var isDue: Bool { self.isClosed || self.owesStreams || !self.frames.isEmpty }

    fileprivate mutating func take() -> LivePage.Item? {
        if self.owesStreams {
            self.owesStreams = false
            return .streams
        }
        return self.frames.popFirst().map(LivePage.Item.frame)
    }
}
