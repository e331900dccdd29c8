internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Open connections of the HTTP service, which are limited in total and per address.
///
/// Without a limit they could use up the process's file descriptors, and then no camera could connect either.
final class HTTPConnections: Sendable {
    private struct State: Sendable {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Errors of connections beyond the limit, which stay open until their clients have them.
        var refusals: [ObjectIdentifier: WireError] = [:]
    }

    private let limiter: ConnectionLimiter
    private let state = NIOLockedValueBox(State())

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
            self.add(channel) { self.limiter.release(address) }
            return true
        } catch {
            guard self.limiter.addRefused(address) else { return false }
            self.state.withLockedValue { $0.refusals[ObjectIdentifier(channel)] = error }
            self.add(channel) { self.limiter.removeRefused(address) }
            return true
        }
    }

    /// The reason why a connection is not served; `nil` for one within the limits.
    func refusal(of channel: ObjectIdentifier) -> WireError? { self.state.withLockedValue { $0.refusals[channel] } }

    /// Closes every connection at once.
    func closeAll() {
        for channel in self.state.withLockedValue(\.channels).values {
            channel.eventLoop.execute { channel.closeSocket() }
        }
    }

    /// Keeps a connection until it closes.
    private func add(_ channel: any Channel, whenClosed release: @escaping @Sendable () -> Void) {
        let id = ObjectIdentifier(channel)
        self.state.withLockedValue { $0.channels[id] = channel }
        channel.closeFuture.whenComplete { _ in
            self.state.withLockedValue { state in
                state.channels[id] = nil
                state.refusals[id] = nil
            }
            release()
        }
    }
}
