internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Open connections of the HTTP service, which are limited in total and per address.
///
/// Without a limit they could use up the process's file descriptors, and then no camera could connect either.
final class HTTPConnections: Sendable {
    private let limiter: ConnectionLimiter
    /// Connections beyond the limit, which stay open until their clients have the error.
    private let refused = NIOLockedValueBox<[ObjectIdentifier: WireError]>([:])

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
            channel.closeFuture.whenComplete { _ in self.limiter.release(address) }
            return true
        } catch {
            guard self.limiter.addRefused(address) else { return false }
            let id = ObjectIdentifier(channel)
            self.refused.withLockedValue { $0[id] = error }
            channel.closeFuture.whenComplete { _ in
                self.refused.withLockedValue { $0[id] = nil }
                self.limiter.removeRefused(address)
            }
            return true
        }
    }

    /// The reason why a connection is not served; `nil` for one within the limits.
    func refusal(of channel: ObjectIdentifier) -> WireError? { self.refused.withLockedValue { $0[channel] } }
}
