internal import NIOConcurrencyHelpers

/// Asks a run to send nothing more and to end as if the session had.
package final class StopSignal: Sendable {
    private struct State {
        var isStopped = false
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = NIOLockedValueBox(State())

    /// A signal that was not given yet.
    package init() {}

    /// Whether the signal was given.
    package var isStopped: Bool { self.state.withLockedValue { $0.isStopped } }

    /// Gives the signal; again is the same as once.
    package func stop() {
        let handlers = self.state.withLockedValue { state in
            state.isStopped = true
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Has `handler` called once the signal is given, at once if it was.
    func onStop(_ handler: @escaping @Sendable () -> Void) {
        let isStopped = self.state.withLockedValue { state in
            if !state.isStopped { state.handlers.append(handler) }
            return state.isStopped
        }
        if isStopped { handler() }
    }
}
