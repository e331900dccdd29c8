internal import GlyphwireProtocol
internal import Synchronization

/// The figures of a run, which all its streams write to.
final class StatisticsBoard: Sendable {
    private struct State {
        var total = ReplayStatistics()
        var recent = ReplayStatistics()
    }

    private let state = Mutex(State())

    /// Changes the figures.
    func update(_ change: (inout ReplayStatistics) -> Void) {
        self.state.withLock { state in
            change(&state.total)
            change(&state.recent)
        }
    }

    /// The figures since the start.
    var total: ReplayStatistics { self.state.withLock { $0.total } }

    /// The figures since the start, and since this was last asked for.
    func takeRecent() -> (total: ReplayStatistics, recent: ReplayStatistics) {
        self.state.withLock { state in
            defer { state.recent = ReplayStatistics() }
            return (state.total, state.recent)
        }
    }
}
