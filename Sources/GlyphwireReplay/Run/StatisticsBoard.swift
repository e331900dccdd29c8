internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Statistics of a run, updated by all of its streams.
final class StatisticsBoard: Sendable {
    private struct State {
        var total: ReplayStatistics
        var recent: ReplayStatistics
        /// Frames of each stream since the warm-up.
        var shares: [ConnectionShare]
        /// For each stream, the due time of the newest frame that was read or, until one is, of its first frame.
        var newestRead: [ContinuousClock.Instant]
        var warmUpFrames = 0
        var plannedEnd: ContinuousClock.Instant?
    }

    private let deadline: Duration
    private let measuredFrom: ContinuousClock.Instant
    private let log: FrameLog?
    private let state: NIOLockedValueBox<State>

    /// Creates a board for streams whose first frames are due at `starts`; frames due before `measuredFrom` are warm-up.
    init(
        starts: [ContinuousClock.Instant],
        deadline: Duration,
        measuredFrom: ContinuousClock.Instant,
        log: FrameLog?
    ) {
        self.deadline = deadline
        self.measuredFrom = measuredFrom
        self.log = log
        let nothing = ReplayStatistics(deadline: deadline)
        let shares = starts.indices.map { ConnectionShare(connection: $0 + 1) }
        self.state = NIOLockedValueBox(State(total: nothing, recent: nothing, shares: shares, newestRead: starts))
    }

    /// Records a frame written to the socket.
    func frameSent(dueAt: ContinuousClock.Instant, sentAt: ContinuousClock.Instant) {
        let lateness = dueAt.duration(to: sentAt)
        self.state.withLockedValue { state in
            state.recent.frameSent(lateBy: lateness)
            if dueAt >= self.measuredFrom { state.total.frameSent(lateBy: lateness) }
        }
    }

    /// Records the outcome of a frame.
    func frameEnded(_ frame: FrameRecord) {
        let isMeasured = frame.dueAt >= self.measuredFrom
        self.state.withLockedValue { state in
            state.recent.frameEnded(frame)
            if isMeasured {
                state.total.frameEnded(frame)
                state.shares[frame.stream].frameEnded(frame.status)
            } else {
                state.warmUpFrames += 1
            }
            if frame.status == .ok {
                state.newestRead[frame.stream] = max(state.newestRead[frame.stream], frame.dueAt)
            }
        }
        self.log?.write(frame, isMeasured: isMeasured)
    }

    /// Records the time until which a stream was to send frames when its connection broke.
    func streamBroke(plannedUntil end: ContinuousClock.Instant) {
        self.state.withLockedValue { $0.plannedEnd = max($0.plannedEnd ?? end, end) }
    }

    /// Statistics since the warm-up.
    var total: ReplayStatistics { self.state.withLockedValue { $0.total } }

    /// Frames of each stream since the warm-up.
    var shares: [ConnectionShare] { self.state.withLockedValue { $0.shares } }

    /// Number of frames that were due during the warm-up.
    var warmUpFrames: Int { self.state.withLockedValue { $0.warmUpFrames } }

    /// Time until which broken streams were to send frames; `nil` if there are none.
    var plannedEnd: ContinuousClock.Instant? { self.state.withLockedValue { $0.plannedEnd } }

    /// Statistics since the warm-up and since the last call, and the oldest age of a stream's newest text.
    ///
    /// Where no text has come, the age counts from the stream's first frame; it is `nil` before any frame is due.
    func takeRecent(
        at now: ContinuousClock.Instant
    ) -> (total: ReplayStatistics, recent: ReplayStatistics, age: Duration?) {
        self.state.withLockedValue { state in
            defer { state.recent = ReplayStatistics(deadline: self.deadline) }
            let oldest = state.newestRead.filter { $0 <= now }.min()
            return (state.total, state.recent, oldest.map { $0.duration(to: now) })
        }
    }
}
