import Dispatch

/// Holds up worker threads until it is opened; then it stays open.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        self.semaphore.wait()
        self.semaphore.signal()
    }

    func open() { self.semaphore.signal() }
}
