package import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Limiter of open connections, in total and per address.
package final class ConnectionLimiter: Sendable {
    private struct State: Sendable {
        var total = 0
        var byAddress: [String: Int] = [:]
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
    /// - Parameter address: The client's address.
    /// - Throws: ``WireError`` that names the limit; then the connection is not counted.
    package func admit(_ address: String) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.total < self.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.maxConnections) connections of this server are in use; connect again later"
                )
            }
            let others = state.byAddress[address, default: 0]
            guard others < self.maxConnectionsPerAddress else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.maxConnectionsPerAddress) connections allowed per address are in use; "
                        + "close one, or connect again later"
                )
            }
            state.total += 1
            state.byAddress[address] = others + 1
            return nil
        }
        if let error { throw error }
    }

    /// Removes a closed connection from `address`.
    package func release(_ address: String) {
        self.state.withLockedValue { state in
            state.total -= 1
            let others = state.byAddress[address, default: 1] - 1
            state.byAddress[address] = others == 0 ? nil : others
        }
    }
}
