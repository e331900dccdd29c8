internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// The figures of a run, which all its streams write to.
final class StatisticsBoard: Sendable {
    private struct State {
        var total: ReplayStatistics
        var recent: ReplayStatistics
        /// For each stream when the newest frame that was read was due.
        var newestRead: [ContinuousClock.Instant?]
        var warmUpFrames = 0
    }

    private let deadline: Duration
    private let measuredFrom: ContinuousClock.Instant
    private let log: FrameLog?
    private let state: NIOLockedValueBox<State>

    /// A board for a number of streams; frames due before `measuredFrom` are warm-up, and not in the total.
    init(streams: Int, deadline: Duration, measuredFrom: ContinuousClock.Instant, log: FrameLog?) {
        self.deadline = deadline
        self.measuredFrom = measuredFrom
        self.log = log
        let nothing = ReplayStatistics(deadline: deadline)
        let newest = [ContinuousClock.Instant?](repeating: nil, count: streams)
        self.state = NIOLockedValueBox(State(total: nothing, recent: nothing, newestRead: newest))
    }

    /// A frame was handed to the socket.
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

    /// It is known what became of a frame.
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

    /// The figures since the warm-up.
    var total: ReplayStatistics { self.state.withLockedValue { $0.total } }

    /// Frames that were sent while the server warmed up.
    var warmUpFrames: Int { self.state.withLockedValue { $0.warmUpFrames } }

    /// The figures since the warm-up, those since the last call, and the oldest age of a stream's newest text.
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
