internal import Synchronization

/// Cancellation token of a waiting task.
///
/// The canceller sets the flag first and then searches the waiting tasks; the flag is checked before a task is made to
/// wait. So no cancellation is missed, whichever comes first.
final class WaitTicket: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { self.flag.load(ordering: .sequentiallyConsistent) }

    func cancel() {
        self.flag.store(true, ordering: .sequentiallyConsistent)
    }
}
