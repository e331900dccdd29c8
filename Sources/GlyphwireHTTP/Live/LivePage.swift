internal import NIOConcurrencyHelpers
internal import NIOCore

/// Queue of one open live page, with only the newest frame of each stream.
final class LivePage: Sendable {
    /// Item of the queue.
    enum Item: Sendable {
        /// A frame.
        case frame(LiveFrame)
        /// The status of the streams at the time of writing.
        case streams
    }

    fileprivate struct State: Sendable {
        var frames: [UInt64: LiveFrame] = [:]
        /// Streams of ``frames``, by waiting time.
        var order: [UInt64] = []
        var owesStreams = true
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// Number of changes of the server's tokens before the page's token was checked.
    let tokenChanges: Int
    private let state = NIOLockedValueBox(State())

    /// Creates a page that owes the status of the streams.
    init(tokenChanges: Int) {
        self.tokenChanges = tokenChanges
    }

    /// Queues a frame, which replaces an older one of its stream.
    func show(_ frame: LiveFrame, of stream: UInt64) {
        self.change { state in
            if state.frames.updateValue(frame, forKey: stream) == nil { state.order.append(stream) }
        }
    }

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
    fileprivate var isDue: Bool { self.isClosed || self.owesStreams || !self.order.isEmpty }

    fileprivate mutating func take() -> LivePage.Item? {
        if self.owesStreams {
            self.owesStreams = false
            return .streams
        }
        guard !self.order.isEmpty else { return nil }
        return self.frames.removeValue(forKey: self.order.removeFirst()).map(LivePage.Item.frame)
    }
}
