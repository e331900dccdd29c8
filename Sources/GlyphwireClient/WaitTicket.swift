internal import Synchronization

/// Cancellation token of a waiting task.
///
/// A cancellation sets the flag first and then searches the waiting tasks; the flag is checked before a task starts to
/// wait. No cancellation is therefore missed.
final class WaitTicket: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { self.flag.load(ordering: .sequentiallyConsistent) }

    func cancel() {
        self.flag.store(true, ordering: .sequentiallyConsistent)
    }
}
