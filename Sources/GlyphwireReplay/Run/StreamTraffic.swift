internal import NIOCore
internal import NIOConcurrencyHelpers

/// State that the sender and the receiver of a stream share.
final class StreamTraffic: Sendable {
    /// Frame without a result that is sent or about to be.
    struct Waiting: Sendable {
        var sequence: UInt64
        var recordedSequence: UInt64
        var dueAt: ContinuousClock.Instant
    }

    private struct State {
        var waiting = CircularBuffer<Waiting>()
        /// Time of the server's last line, or of the first message that requires one.
        var lastLine: ContinuousClock.Instant
        /// Time from which due frames are not measured; `nil` measures all.
        var endsAt: ContinuousClock.Instant?
        /// Whether the next frame to send is due after ``endsAt``.
        var hasPassedEnd = false
        /// Whether all was sent, and the server was asked to end the stream.
        var isFinishing = false
        var ending = Ending.open

        func counts(_ dueAt: ContinuousClock.Instant) -> Bool { self.endsAt.map { dueAt < $0 } ?? true }
    }

    /// Reason why a stream was closed early.
    enum Ending: Sendable {
        case open
        /// The server sent nothing for too long.
        case timedOut
        /// The time for outstanding answers ran out.
        case drained
    }

    private let state: NIOLockedValueBox<State>
    /// Permits for frames, if their number in flight is limited.
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

    /// Ends the measurement with the frames due before `instant`.
    func end(at instant: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.endsAt = min($0.endsAt ?? instant, instant) }
    }

    /// Whether a frame due at this time is measured, or only keeps up the load.
    func counts(_ dueAt: ContinuousClock.Instant) -> Bool {
        self.state.withLockedValue { $0.counts(dueAt) }
    }

    /// Records that all measured frames were sent.
    func passedEnd() { self.state.withLockedValue { $0.hasPassedEnd = true } }

    /// Whether all measured frames were sent.
    var hasPassedEnd: Bool { self.state.withLockedValue { $0.hasPassedEnd } }

    /// Whether the end has come, and all measured frames were sent and answered.
    func isComplete(at now: ContinuousClock.Instant) -> Bool {
        self.state.withLockedValue { state in
            state.hasPassedEnd && !state.counts(now) && !(state.waiting.first.map { state.counts($0.dueAt) } ?? false)
        }
    }

    /// Whether no frame is outstanding.
    var isIdle: Bool { self.state.withLockedValue { $0.waiting.isEmpty } }

    /// Records a frame that is about to be sent.
    func sending(_ frame: Waiting, at now: ContinuousClock.Instant) {
        self.state.withLockedValue { state in
            if state.waiting.isEmpty { state.lastLine = max(state.lastLine, now) }
            state.waiting.append(frame)
        }
    }

    /// Removes the frame that was about to be sent.
    ///
    /// - Returns: Whether it was still outstanding; if not, ``receivingEnded()`` has returned it.
    func notSent() -> Bool {
        self.state.withLockedValue { $0.waiting.popLast() != nil }
    }

    /// Records that everything was sent.
    func finishing(at now: ContinuousClock.Instant) {
        self.state.withLockedValue { state in
            state.isFinishing = true
            state.lastLine = max(state.lastLine, now)
        }
    }

    /// Records a line that is not a result.
    func lineReceived(at instant: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.lastLine = instant }
    }

    /// Records a result and returns the oldest outstanding frame, which it answers.
    func resultReceived(at instant: ContinuousClock.Instant) -> Waiting? {
        let frame = self.state.withLockedValue { state in
            state.lastLine = instant
            return state.waiting.popFirst()
        }
        self.freed?.yield()
        return frame
    }

    /// Records the end of the received lines.
    ///
    /// - Returns: The measured frames that will have no result.
    func receivingEnded() -> [Waiting] {
        self.freed?.finish()
        return self.state.withLockedValue { state in
            defer { state.waiting = CircularBuffer() }
            return state.waiting.filter { state.counts($0.dueAt) }
        }
    }

    /// Time at which the server will have sent nothing for `timeout` while something is outstanding.
    ///
    /// It is `nil` if that time has passed.
    func deadline(after timeout: Duration, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        self.state.withLockedValue { state in
            if state.waiting.isEmpty, !state.isFinishing { state.lastLine = now }
            let deadline = state.lastLine + timeout
            if deadline > now { return deadline }
            state.ending = .timedOut
            return nil
        }
    }

    /// Stops waiting for answers.
    func drained() {
        self.state.withLockedValue { $0.ending = .drained }
    }
}
