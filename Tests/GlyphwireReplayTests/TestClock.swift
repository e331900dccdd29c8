import GlyphwireReplay
import NIOConcurrencyHelpers

/// A clock that only advances when a test moves it.
final class TestClock: Sendable {
    private struct Sleeper {
        var id: Int
        var deadline: ContinuousClock.Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: ContinuousClock.Instant
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    let start = ContinuousClock.now
    private let state: NIOLockedValueBox<State>

    init() {
        self.state = NIOLockedValueBox(State(now: self.start))
    }

    var clock: ReplayClock {
        ReplayClock(now: { self.state.withLockedValue { $0.now } }, sleep: { try await self.sleep(until: $0) })
    }

    /// Advances the clock to this time after its start, and wakes its sleepers.
    func advance(to time: Duration) {
        let due = self.state.withLockedValue { state -> [Sleeper] in
            state.now = max(state.now, self.start + time)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func sleep(until deadline: ContinuousClock.Instant) async throws {
        let id = self.state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = self.state.withLockedValue { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = self.state.withLockedValue { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
