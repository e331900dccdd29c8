internal import NIOConcurrencyHelpers

/// Senders that wait until an output has room for their events.
final class RoomWaiters: Sendable {
    private let waiting = NIOLockedValueBox<[CheckedContinuation<Void, Never>]>([])

    /// Waits until ``release()``, unless there is room or the task is cancelled.
    ///
    /// - Parameter hasRoom: Whether there is room; called under a lock, so that no release between is missed.
    func wait(unless hasRoom: () -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let mayContinue = self.waiting.withLockedValue { waiting in
                    if hasRoom() || Task.isCancelled { return true }
                    waiting.append(continuation)
                    return false
                }
                if mayContinue { continuation.resume() }
            }
        } onCancel: {
            self.release()
        }
    }

    /// Lets all senders continue; each must check for room itself if it needs more.
    func release() {
        let waiting = self.waiting.withLockedValue { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
