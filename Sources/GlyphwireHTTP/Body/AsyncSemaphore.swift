internal import NIOConcurrencyHelpers
internal import NIOCore

/// Asynchronous counting semaphore with FIFO order.
final class AsyncSemaphore: Sendable {
    /// Task that waits for a permit.
    private struct Waiter: Sendable {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var free: Int
        var lastID = 0
        var waiting = CircularBuffer<Waiter>()
    }

    private let state: NIOLockedValueBox<State>

    /// Creates a semaphore of `capacity` permits.
    init(capacity: Int) {
        self.state = NIOLockedValueBox(State(free: capacity))
    }

    /// Runs `body` once it has a permit.
    ///
    /// - Returns: What `body` returns; `nil` if the task was cancelled before.
    func withPermit<Result: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result? {
        guard await self.acquire() else { return nil }
        defer { self.release() }
        return try await body()
    }

    /// Waits for a permit.
    ///
    /// - Returns: Whether there is one, as there is unless the task is cancelled.
    private func acquire() async -> Bool {
        let id = self.state.withLockedValue { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in self.wait(Waiter(id: id, continuation: continuation)) }
        } onCancel: {
            self.giveUp(id)
        }
    }

    /// Resumes a task that has a permit at once, or was cancelled before it could wait.
    private func wait(_ waiter: Waiter) {
        let hasPermit: Bool? = self.state.withLockedValue { state in
            // A task that is cancelled after this is found by its handler, which takes the lock as well.
            if Task.isCancelled { return false }
            guard state.free > 0 else {
                state.waiting.append(waiter)
                return nil
            }
            state.free -= 1
            return true
        }
        if let hasPermit { waiter.continuation.resume(returning: hasPermit) }
    }

    private func giveUp(_ id: Int) {
        let waiter = self.state.withLockedValue { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    private func release() {
        let next = self.state.withLockedValue { state in
            // The first waiting task gets the permit at once.
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.continuation.resume(returning: true)
    }
}
