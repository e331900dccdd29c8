internal import NIOConcurrencyHelpers

/// Signal for a run to stop sending and end early.
package final class StopSignal: Sendable {
    private struct State {
        var isStopped = false
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a signal that is not given yet.
    package init() {}

    /// Whether the signal was given.
    package var isStopped: Bool { self.state.withLockedValue { $0.isStopped } }

    /// Gives the signal; repeated calls have no effect.
    package func stop() {
        let handlers = self.state.withLockedValue { state in
            state.isStopped = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Calls `handler` once the signal is given, or at once if it was.
    func onStop(_ handler: @escaping @Sendable () -> Void) {
        let isStopped = self.state.withLockedValue { state in
            if !state.isStopped { state.handlers.append(handler) }
            return state.isStopped
        }
        if isStopped { handler() }
    }
}
