internal import Synchronization

/// What a waiting task is known by, so that it can be cancelled at any moment.
///
/// Whoever cancels raises the flag first and then looks among those that wait; whoever lets a task wait looks at the flag
/// first. So a cancellation is not missed, whichever of the two comes first.
final class WaitTicket: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { self.flag.load(ordering: .sequentiallyConsistent) }

    func cancel() {
        self.flag.store(true, ordering: .sequentiallyConsistent)
    }
}
