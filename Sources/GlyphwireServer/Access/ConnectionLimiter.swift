package import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Limiter of open connections, in total and per address.
package final class ConnectionLimiter: Sendable {
    private struct State: Sendable {
        var total = 0
        var byKey: [String: Int] = [:]
    }

    private let maxConnections: Int
    private let maxConnectionsPerAddress: Int
    private let state = NIOLockedValueBox(State())

    /// Creates a limiter without connections.
    ///
    /// - Parameters:
    ///   - maxConnections: Maximum number of open connections.
    ///   - maxConnectionsPerAddress: Maximum number of those from one address.
    package init(maxConnections: Int, maxConnectionsPerAddress: Int) {
        self.maxConnections = maxConnections
        self.maxConnectionsPerAddress = maxConnectionsPerAddress
    }

    /// Admits a connection, which is counted until ``release(_:)``.
    ///
    /// - Parameter limitKey: Key of the client in the limits.
    /// - Throws: ``WireError`` that names the limit; then the connection is not counted.
    package func admit(_ limitKey: String) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.total < self.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.maxConnections) connections of this server are in use; connect again later"
                )
            }
            let others = state.byKey[limitKey, default: 0]
            guard others < self.maxConnectionsPerAddress else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.maxConnectionsPerAddress) connections allowed per address are in use; "
                        + "close one, or connect again later"
                )
            }
            state.total += 1
            state.byKey[limitKey] = others + 1
            return nil
        }
        if let error { throw error }
    }

    /// Removes a closed connection of `limitKey`.
    package func release(_ limitKey: String) {
        self.state.withLockedValue { state in
            state.total -= 1
            let others = state.byKey[limitKey, default: 1] - 1
            state.byKey[limitKey] = others == 0 ? nil : others
        }
    }
}
