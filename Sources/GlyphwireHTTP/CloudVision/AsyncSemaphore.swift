internal import NIOConcurrencyHelpers
internal import NIOCore

/// Asynchronous counting semaphore, first come, first served.
final class AsyncSemaphore: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state: NIOLockedValueBox<State>

    /// A semaphore that admits `capacity` tasks at a time.
    init(capacity: Int) {
        self.state = NIOLockedValueBox(State(free: capacity))
    }

    /// Runs `body` with a permit, once there is one.
    func withPermit<Result: Sendable>(_ body: @Sendable () async -> Result) async -> Result {
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
            // The first that waits takes the permit at once.
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
        return result
    }
}
