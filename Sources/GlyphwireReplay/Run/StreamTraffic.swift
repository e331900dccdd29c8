internal import NIOCore
internal import NIOConcurrencyHelpers

/// State that the sender and the receiver of a stream share.
final class StreamTraffic: Sendable {
    /// A frame that is sent, or about to be, and has no result yet.
    struct Waiting: Sendable {
        var sequence: UInt64
        var recordedSequence: UInt64
        var dueAt: ContinuousClock.Instant
    }

    private struct State {
        var waiting = CircularBuffer<Waiting>()
        /// When the server last said something, or was first asked for something.
        var lastLine: ContinuousClock.Instant
        /// Frames that are due at this time or later do not count; `nil` counts everything.
        var endsAt: ContinuousClock.Instant?
        /// Whether the next frame to be sent is due after that.
        var hasPassedEnd = false
        /// Whether all was sent, and the server is asked to end.
        var isFinishing = false
        var ending = Ending.open

        func counts(_ dueAt: ContinuousClock.Instant) -> Bool { self.endsAt.map { dueAt < $0 } ?? true }
    }

    /// How a stream was given up.
    enum Ending: Sendable {
        case open
        /// The server said nothing for too long.
        case timedOut
        /// The time was over in which frames might be answered after the last was sent.
        case drained
    }

    private let state: NIOLockedValueBox<State>
    /// One element for each frame that may be sent, where their number is limited.
    let places: AsyncStream<Void>?
    private let freed: AsyncStream<Void>.Continuation?

    init(startsAt: ContinuousClock.Instant, endsAt: ContinuousClock.Instant?, maxInFlight: Int?) {
        self.state = NIOLockedValueBox(State(lastLine: startsAt, endsAt: endsAt))
        guard let maxInFlight else {
            (self.places, self.freed) = (nil, nil)
            return
        }
        let (places, freed) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<maxInFlight { freed.yield() }
        (self.places, self.freed) = (places, freed)
    }

    var endsAt: ContinuousClock.Instant? { self.state.withLockedValue { $0.endsAt } }

    var ending: Ending { self.state.withLockedValue { $0.ending } }

    /// Has nothing more count that is due at `instant` or later.
    func end(at instant: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.endsAt = min($0.endsAt ?? instant, instant) }
    }

    /// Whether a frame due at this time counts, and does not just keep up the load.
    func counts(_ dueAt: ContinuousClock.Instant) -> Bool {
        self.state.withLockedValue { $0.counts(dueAt) }
    }

    /// All frames that count were sent.
    func passedEnd() { self.state.withLockedValue { $0.hasPassedEnd = true } }

    /// Whether all frames that count were sent.
    var hasPassedEnd: Bool { self.state.withLockedValue { $0.hasPassedEnd } }

    /// Whether the end has come, and all frames that count were sent and answered.
    func isComplete(at now: ContinuousClock.Instant) -> Bool {
        self.state.withLockedValue { state in
            state.hasPassedEnd && !state.counts(now) && !(state.waiting.first.map { state.counts($0.dueAt) } ?? false)
        }
    }

    /// Whether no frame is on its way.
    var isIdle: Bool { self.state.withLockedValue { $0.waiting.isEmpty } }

    /// A frame is about to be sent.
    func sending(_ frame: Waiting, at now: ContinuousClock.Instant) {
        self.state.withLockedValue { state in
            if state.waiting.isEmpty { state.lastLine = max(state.lastLine, now) }
            state.waiting.append(frame)
        }
    }

    /// The frame that was about to be sent was not.
    func notSent() {
        self.state.withLockedValue { _ = $0.waiting.popLast() }
    }

    /// Everything was sent.
    func finishing(at now: ContinuousClock.Instant) {
        self.state.withLockedValue { state in
            state.isFinishing = true
            state.lastLine = max(state.lastLine, now)
        }
    }

    /// The server said something that is no result.
    func lineReceived(at instant: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.lastLine = instant }
    }

    /// The server answered the frame that waited longest.
    func resultReceived(at instant: ContinuousClock.Instant) -> Waiting? {
        let frame = self.state.withLockedValue { state in
            state.lastLine = instant
            return state.waiting.popFirst()
        }
        self.freed?.yield()
        return frame
    }

    /// Nothing more will be received.
    ///
    /// - Returns: The frames that count and will have no result.
    func receivingEnded() -> [Waiting] {
        self.freed?.finish()
        return self.state.withLockedValue { state in
            defer { state.waiting = CircularBuffer() }
            return state.waiting.filter { state.counts($0.dueAt) }
        }
    }

    /// When the server will have said nothing for `timeout` while something waits; `nil` if that is now, or before.
    func deadline(after timeout: Duration, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        self.state.withLockedValue { state in
            if state.waiting.isEmpty, !state.isFinishing { state.lastLine = now }
            let deadline = state.lastLine + timeout
            if deadline > now { return deadline }
            state.ending = .timedOut
            return nil
        }
    }

    /// No more answers are waited for.
    func drained() {
        self.state.withLockedValue { $0.ending = .drained }
    }
}
