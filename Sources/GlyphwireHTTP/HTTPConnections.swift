internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Open connections of the HTTP service, which are limited in total and per address.
///
/// Without a limit they could use up the process's file descriptors, and then no camera could connect either.
final class HTTPConnections: Sendable {
    private struct Connection: Sendable {
        let channel: any Channel
        /// Error of a connection beyond the limit, which stays open until its client has it.
        let refusal: WireError?
        let departure = ClientDeparture()
    }

    private let limiter: ConnectionLimiter
    private let entries = NIOLockedValueBox<[ObjectIdentifier: Connection]>([:])

    /// Creates the state of a service without connections.
    init(maxConnections: Int) {
        var limits = ServerLimits()
        limits.maxConnections = maxConnections
        // The rest is left to others, such as a monitor.
        limits.maxConnectionsPerAddress = max(maxConnections - maxConnections / 4, 1)
        self.limiter = ConnectionLimiter(limits: limits)
    }

    /// Counts an accepted connection until it closes.
    ///
    /// - Parameter channel: The connection.
    /// - Returns: Whether it may stay, to be served or to get its error.
    func accept(_ channel: any Channel) -> Bool {
        let address = channel.remoteAddress?.site ?? "unknown"
        do throws(WireError) {
            try self.limiter.admit(address)
            self.add(Connection(channel: channel, refusal: nil)) { self.limiter.release(address) }
            return true
        } catch {
            guard self.limiter.addRefused(address) else { return false }
            self.add(Connection(channel: channel, refusal: error)) { self.limiter.removeRefused(address) }
            return true
        }
    }

    /// The reason why a connection is not served; `nil` for one within the limits.
    func refusal(of channel: ObjectIdentifier) -> WireError? { self.entries.withLockedValue { $0[channel]?.refusal } }

    /// The departure of a connection's client, who has left one that has closed.
    func departure(of channel: ObjectIdentifier) -> ClientDeparture {
        self.entries.withLockedValue { $0[channel]?.departure } ?? ClientDeparture(hasLeft: true)
    }

    /// Closes every connection at once.
    func closeAll() {
        for channel in self.entries.withLockedValue(\.self).values.map(\.channel) {
            channel.eventLoop.execute { channel.closeSocket() }
        }
    }

    /// Keeps a connection until it closes.
    private func add(_ connection: Connection, whenClosed release: @escaping @Sendable () -> Void) {
        let id = ObjectIdentifier(connection.channel)
        self.entries.withLockedValue { $0[id] = connection }
        connection.channel.closeFuture.whenComplete { _ in
            self.entries.withLockedValue { $0[id] = nil }
            release()
        }
    }
}
