internal import NIOCore
internal import NIOConcurrencyHelpers

/// What the sender and the receiver of a stream tell each other.
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
        /// Nothing that is due at this time or later is sent; `nil` sends everything.
        var endsAt: ContinuousClock.Instant?
        /// Whether all was sent, and the server is asked to end.
        var isFinishing = false
        var ending = Ending.open
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

    /// Has nothing more sent that is due at `instant` or later.
    func end(at instant: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.endsAt = min($0.endsAt ?? instant, instant) }
    }

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
    /// - Returns: The frames that will have no result.
    func receivingEnded() -> [Waiting] {
        self.freed?.finish()
        return self.state.withLockedValue { state in
            defer { state.waiting = CircularBuffer() }
            return Array(state.waiting)
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
