internal import NIOConcurrencyHelpers
internal import NIOCore

/// Lets so many in at a time; the others wait in the order in which they came.
final class Turnstile: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state: NIOLockedValueBox<State>

    /// A turnstile with room for `capacity` behind it.
    init(capacity: Int) {
        self.state = NIOLockedValueBox(State(free: capacity))
    }

    /// Runs `body` once there is room.
    func pass<Result: Sendable>(_ body: @Sendable () async -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let hasRoom = self.state.withLockedValue { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
        let result = await body()
        let next = self.state.withLockedValue { state in
            // Whoever waits takes the place at once.
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
        return result
    }
}
