internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Statistics of a run, updated by all of its streams.
final class StatisticsBoard: Sendable {
    private struct State {
        var total: ReplayStatistics
        var recent: ReplayStatistics
        /// For each stream, the due time of the newest frame that was read.
        var newestRead: [ContinuousClock.Instant?]
        var warmUpFrames = 0
    }

    private let deadline: Duration
    private let measuredFrom: ContinuousClock.Instant
    private let log: FrameLog?
    private let state: NIOLockedValueBox<State>

    /// Creates a board for a number of streams; frames due before `measuredFrom` are warm-up.
    init(streams: Int, deadline: Duration, measuredFrom: ContinuousClock.Instant, log: FrameLog?) {
        self.deadline = deadline
        self.measuredFrom = measuredFrom
        self.log = log
        let nothing = ReplayStatistics(deadline: deadline)
        let newest = [ContinuousClock.Instant?](repeating: nil, count: streams)
        self.state = NIOLockedValueBox(State(total: nothing, recent: nothing, newestRead: newest))
    }

    /// Records a frame written to the socket.
    func frameSent(dueAt: ContinuousClock.Instant, sentAt: ContinuousClock.Instant) {
        let lateness = dueAt.duration(to: sentAt)
        self.state.withLockedValue { state in
            state.recent.frameSent(lateBy: lateness)
            if dueAt >= self.measuredFrom {
                state.total.frameSent(lateBy: lateness)
            } else {
                state.warmUpFrames += 1
            }
        }
    }

    /// Records the outcome of a frame.
    func frameEnded(_ frame: FrameRecord) throws(ReplayError) {
        self.state.withLockedValue { state in
            state.recent.frameEnded(frame)
            if frame.dueAt >= self.measuredFrom { state.total.frameEnded(frame) }
            if frame.status == .ok {
                state.newestRead[frame.stream] = max(state.newestRead[frame.stream] ?? frame.dueAt, frame.dueAt)
            }
        }
        try self.log?.write(frame, isMeasured: frame.dueAt >= self.measuredFrom)
    }

    /// Statistics since the warm-up.
    var total: ReplayStatistics { self.state.withLockedValue { $0.total } }

    /// Number of frames sent during the warm-up.
    var warmUpFrames: Int { self.state.withLockedValue { $0.warmUpFrames } }

    /// Statistics since the warm-up and since the last call, and the oldest age of a stream's newest text.
    func takeRecent(
        at now: ContinuousClock.Instant
    ) -> (total: ReplayStatistics, recent: ReplayStatistics, age: Duration?) {
        self.state.withLockedValue { state in
            defer { state.recent = ReplayStatistics(deadline: self.deadline) }
            let oldest = state.newestRead.compactMap(\.self).min()
            return (state.total, state.recent, oldest.map { $0.duration(to: now) })
        }
    }
}
