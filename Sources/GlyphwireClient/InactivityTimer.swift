internal import NIOCore

/// Timer that fires when nothing has happened for a time.
///
/// It runs on its event loop. One scheduled task serves all events: an event only moves the deadline.
final class InactivityTimer {
    private var limit: TimeAmount
    private let eventLoop: any EventLoop
    private var since = NIODeadline.uptimeNanoseconds(0)
    private var check: Scheduled<Void>?

    /// Creates a timer that does not run.
    init(limit: Duration, eventLoop: any EventLoop) {
        self.limit = TimeAmount(limit)
        self.eventLoop = eventLoop
    }

    /// Records an event, after which the whole time begins again.
    func touch() { self.since = self.eventLoop.now }

    /// Records an event, after which the timer fires when nothing has happened for `limit`.
    func touch(limit: Duration) {
        self.limit = TimeAmount(limit)
        self.touch()
    }

    /// Starts the timer unless it runs or is not needed.
    ///
    /// - Parameters:
    ///   - isNeeded: Whether it runs on; checked at the start and at each deadline.
    ///   - expired: Called after each period of inactivity.
    func start(while isNeeded: @escaping () -> Bool, expired: @escaping () -> Void) {
        guard self.check == nil, isNeeded() else { return }
        self.check = self.eventLoop.assumeIsolated().scheduleTask(deadline: self.since + self.limit) {
            self.check = nil
            guard isNeeded() else { return }
            if self.eventLoop.now - self.since >= self.limit {
                self.touch()
                expired()
            }
            self.start(while: isNeeded, expired: expired)
        }
    }

    /// Stops the timer.
    func stop() {
        self.check?.cancel()
        self.check = nil
    }
}
