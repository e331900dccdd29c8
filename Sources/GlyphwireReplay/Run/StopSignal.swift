internal import NIOConcurrencyHelpers

/// Signal for a run to stop sending and end early.
package final class StopSignal: Sendable {
    private struct State {
        var isStopped = false
        /// Handlers by their numbers, which ascend.
        var handlers: [Int: @Sendable () -> Void] = [:]
        var handlerCount = 0
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
            defer { state.handlers = [:] }
            return state.handlers.sorted { $0.key < $1.key }
        }
        for (_, handler) in handlers { handler() }
    }

    /// Calls `handler` once the signal is given, or at once if it was.
    ///
    /// - Returns: The number by which it can be removed.
    @discardableResult
    func onStop(_ handler: @escaping @Sendable () -> Void) -> Int {
        let (isStopped, number) = self.state.withLockedValue { state in
            state.handlerCount += 1
            if !state.isStopped { state.handlers[state.handlerCount] = handler }
            return (state.isStopped, state.handlerCount)
        }
        if isStopped { handler() }
        return number
    }

    /// Removes a handler, which is then no longer called.
    func remove(_ number: Int) { self.state.withLockedValue { $0.handlers[number] = nil } }
}
