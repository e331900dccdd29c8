internal import NIOConcurrencyHelpers

/// Disconnect of a connection's client, which ends the work on its request.
final class ClientDisconnect: Sendable {
    private struct State: Sendable {
        var hasLeft = false
        /// Ends the work on the request that is being answered.
        var endWork: (@Sendable () -> Void)?
    }

    private let state: NIOLockedValueBox<State>

    /// Creates the disconnect of a client, which has left already or is still there.
    init(hasLeft: Bool = false) { self.state = NIOLockedValueBox(State(hasLeft: hasLeft)) }

    /// Whether the client has left.
    var hasLeft: Bool { self.state.withLockedValue(\.hasLeft) }

    /// Records that the client has left.
    func report() {
        let endWork = self.state.withLockedValue { state in
            state.hasLeft = true
            return state.endWork
        }
        endWork?()
    }

    /// Answers a request in a task that is cancelled once the client has left.
    ///
    /// The task of the connection is of no account: a server that stops may cancel it, and answers all the same.
    ///
    /// - Parameter body: Answers the request, of which a connection has one at a time.
    /// - Returns: What `body` returns.
    func withCancellation<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await body() }
        let hasLeft = self.state.withLockedValue { state in
            state.endWork = { task.cancel() }
            return state.hasLeft
        }
        if hasLeft { task.cancel() }
        defer { self.state.withLockedValue { $0.endWork = nil } }
        return await task.value
    }
}
