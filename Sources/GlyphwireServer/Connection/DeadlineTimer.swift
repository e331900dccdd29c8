package import NIOCore

/// Timer of a connection's deadline, which may move at any time.
///
/// A deadline that moves back only makes the scheduled check early: it then schedules the next one.
package final class DeadlineTimer {
    private var check: (task: Scheduled<Void>, time: NIODeadline)?

    /// Creates a timer without a deadline.
    package init() {}

    /// Schedules a check, unless one is scheduled that is no later.
    ///
    /// - Parameters:
    ///   - deadline: The deadline of the moment; `nil` while there is none.
    ///   - eventLoop: The event loop of the connection, on which this is called.
    ///   - body: Called once the deadline has passed.
    package func schedule(
        _ deadline: @escaping () -> NIODeadline?,
        on eventLoop: any EventLoop,
        _ body: @escaping () -> Void
    ) {
        guard let time = deadline() else { return }
        if let check = self.check {
            guard time < check.time else { return }
            check.task.cancel()
        }
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.check = nil
            guard let time = deadline() else { return }
            if time > eventLoop.now {
                self.schedule(deadline, on: eventLoop, body)
            } else {
                body()
            }
        }
        self.check = (task, time)
    }

    /// Cancels the scheduled check.
    package func cancel() { self.check?.task.cancel() }
}
