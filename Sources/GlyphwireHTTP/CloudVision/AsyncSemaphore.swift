internal import NIOConcurrencyHelpers
internal import NIOCore

/// Asynchronous counting semaphore with FIFO order.
final class AsyncSemaphore: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting = CircularBuffer<CheckedContinuation<Void, Never>>()
    }

    private let state: NIOLockedValueBox<State>

    /// Creates a semaphore of `capacity` permits.
    init(capacity: Int) {
        self.state = NIOLockedValueBox(State(free: capacity))
    }

    /// Runs `body` once it has a permit.
    func withPermit<Result: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        await self.acquire()
        defer { self.release() }
        return try await body()
    }

    private func acquire() async {
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
    }

    private func release() {
        let next = self.state.withLockedValue { state in
            // The first waiting task gets the permit at once.
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
