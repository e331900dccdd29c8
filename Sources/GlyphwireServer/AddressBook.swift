internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Who is connected from where, so that no address takes all there is.
final class AddressBook: Sendable {
    private struct State: Sendable {
        var count = 0
        var connections: [String: Int] = [:]
    }

    private let limits: ServerLimits
    private let state = NIOLockedValueBox(State())

    /// An empty book with the limits of a server.
    init(limits: ServerLimits) { self.limits = limits }

    /// Takes a connection in.
    ///
    /// - Parameter address: Where it comes from.
    /// - Throws: ``WireError`` that says why it cannot be served; it is not counted then.
    func enter(_ address: String) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.count < self.limits.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnections) connections of this server are in use; connect again later"
                )
            }
            let others = state.connections[address, default: 0]
            guard others < self.limits.maxConnectionsPerAddress else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnectionsPerAddress) connections that one address may have are in use; "
                        + "close one, or send several streams over one"
                )
            }
            state.count += 1
            state.connections[address] = others + 1
            return nil
        }
        if let error { throw error }
    }

    /// A connection that was taken in is closed.
    func leave(_ address: String) {
        self.state.withLockedValue { state in
            state.count -= 1
            let others = state.connections[address, default: 1] - 1
            state.connections[address] = others == 0 ? nil : others
        }
    }
}
