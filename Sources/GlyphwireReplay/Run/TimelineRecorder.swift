internal import NIOConcurrencyHelpers

/// Recorder of the statistics of each second of a run.
///
/// Its last entries are longer where a run ends before the time that was planned.
final class TimelineRecorder: Sendable {
    let startsAt: ContinuousClock.Instant
    private let warmup: Duration
    private let state: NIOLockedValueBox<(entries: [TimelineEntry], last: ContinuousClock.Instant)>

    init(startsAt: ContinuousClock.Instant, warmup: Duration) {
        self.startsAt = startsAt
        self.warmup = warmup
        self.state = NIOLockedValueBox(([], startsAt))
    }

    /// Adds the statistics since the last call.
    func record(
        _ figures: (total: ReplayStatistics, recent: ReplayStatistics, age: Duration?),
        at now: ContinuousClock.Instant
    ) {
        self.state.withLockedValue { state in
            guard now > state.last else { return }
            state.entries.append(
                TimelineEntry(
                    seconds: self.startsAt.duration(to: now).milliseconds / 1000,
                    length: state.last.duration(to: now).milliseconds / 1000,
                    isWarmUp: state.last < self.startsAt + self.warmup,
                    figures: figures.recent,
                    age: figures.age
                )
            )
            state.last = now
        }
    }

    /// Ends of the entries that are left until `end`, of which one ends with the warm-up.
    func remainingEnds(until end: ContinuousClock.Instant) -> [ContinuousClock.Instant] {
        let last = self.state.withLockedValue { $0.last }
        return [self.startsAt + self.warmup, end].filter { $0 > last && $0 <= end }
    }

    var entries: [TimelineEntry] { self.state.withLockedValue { $0.entries } }
}
