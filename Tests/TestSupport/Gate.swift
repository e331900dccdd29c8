internal import Dispatch

/// Blocks worker threads until it is opened; then it stays open.
package final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func wait() {
        self.semaphore.wait()
        self.semaphore.signal()
    }

    package func open() { self.semaphore.signal() }
}
