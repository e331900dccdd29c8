internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Open connections of the HTTP service, which are limited in total and per address.
///
/// Without a limit they could use up the process's file descriptors, and then no camera could connect either. Those beyond it
/// stay open for their error; there is a limit for them too, beyond which the oldest makes room for the next. A health check
/// is thus answered however many connections do nothing.
final class HTTPConnections: Sendable {
    private struct Connection: Sendable {
        let channel: any Channel
        /// Key of the client in the limits.
        let limitKey: String
        /// Error of a connection beyond the limit; `nil` within it.
        let refusal: WireError?
        let disconnect = ClientDisconnect()
    }

    private struct State: Sendable {
        var connections: [ObjectIdentifier: Connection] = [:]
        var refused: RefusedConnections
    }

    private let limiter: ConnectionLimiter
    private let state: NIOLockedValueBox<State>

    /// Creates the state of a service without connections.
    init(maxConnections: Int) {
        self.limiter = ConnectionLimiter(
            maxConnections: maxConnections,
            // The rest is left to others, such as a monitor.
            maxConnectionsPerAddress: max(maxConnections - maxConnections / 4, 1)
        )
        let refused = RefusedConnections(limit: ServerLimits.maxRefused(beyond: maxConnections))
        self.state = NIOLockedValueBox(State(refused: refused))
    }

    /// Counts an accepted connection until it closes; another one may be closed for it.
    func accept(_ channel: any Channel) {
        let limitKey = channel.remoteAddress?.limitKey ?? "unknown"
        let refusal: WireError?
        do throws(WireError) {
            try self.limiter.admit(limitKey)
            refusal = nil
        } catch {
            refusal = error
        }
        self.add(Connection(channel: channel, limitKey: limitKey, refusal: refusal))
    }

    /// The reason why a connection is not served; `nil` for one within the limits.
    func refusal(of channel: ObjectIdentifier) -> WireError? {
        self.state.withLockedValue { $0.connections[channel]?.refusal }
    }

    /// The disconnect of a connection's client, who has left one that has closed.
    func clientDisconnect(of channel: ObjectIdentifier) -> ClientDisconnect {
        self.state.withLockedValue { $0.connections[channel]?.disconnect } ?? ClientDisconnect(hasLeft: true)
    }

    /// Closes every connection at once.
    func closeAll() { Self.close(self.state.withLockedValue(\.connections).values.map(\.channel)) }

    /// Keeps a connection until it closes.
    private func add(_ connection: Connection) {
        let id = ObjectIdentifier(connection.channel)
        let replaced = self.state.withLockedValue { state -> (any Channel)? in
            state.connections[id] = connection
            guard connection.refusal != nil else { return nil }
            return state.refused.add(id, of: connection.limitKey).flatMap { state.connections[$0]?.channel }
        }
        Self.close([replaced].compactMap(\.self))
        connection.channel.closeFuture.whenComplete { _ in
            self.state.withLockedValue { state in
                state.connections[id] = nil
                state.refused.remove(id)
            }
            if connection.refusal == nil { self.limiter.release(connection.limitKey) }
        }
    }

    private static func close(_ channels: [any Channel]) {
        for channel in channels { channel.eventLoop.execute { channel.closeSocket() } }
    }
}
