internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Limiter of open connections, in total and per address, and of wrong tokens per address.
final class ConnectionLimiter: Sendable {
    private struct State: Sendable {
        var count = 0
        var connections: [String: Int] = [:]
        var failures: [String: Failures] = [:]
    }

    /// Recent wrong tokens from one address.
    private struct Failures: Sendable {
        var count: Int
        var start: ContinuousClock.Instant
    }

    /// Time for which wrong tokens count and an address with too many of them is refused.
    static let failureWindow = Duration.seconds(60)
    /// Maximum number of addresses with counted failures, which bounds the memory in a flood.
    private static let maxTrackedAddresses = 4096

    private let limits: ServerLimits
    private let state = NIOLockedValueBox(State())

    /// Creates a limiter without connections.
    init(limits: ServerLimits) { self.limits = limits }

    /// Admits a connection, which is counted until ``release(_:)``.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - now: The time.
    /// - Throws: ``WireError`` that names the limit; then the connection is not counted.
    func admit(_ address: String, at now: ContinuousClock.Instant = .now) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.count < self.limits.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnections) connections of this server are in use; connect again later"
                )
            }
            if let failures = state.failures[address], failures.count >= self.limits.maxWrongTokens {
                guard now - failures.start >= Self.failureWindow else {
                    return WireError(
                        .tooManyGuesses,
                        "\(failures.count) wrong tokens were sent from this address within a minute; wait a minute, and send "
                            + "the right one"
                    )
                }
                state.failures[address] = nil
            }
            let others = state.connections[address, default: 0]
            guard others < self.limits.maxConnectionsPerAddress else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnectionsPerAddress) connections allowed per address are in use; "
                        + "close one, or connect again later"
                )
            }
            state.count += 1
            state.connections[address] = others + 1
            return nil
        }
        if let error { throw error }
    }

    /// Counts a wrong token from `address`.
    func failedAuthentication(from address: String, at now: ContinuousClock.Instant = .now) {
        self.state.withLockedValue { state in
            if state.failures.count >= Self.maxTrackedAddresses {
                state.failures = state.failures.filter { now - $0.value.start < Self.failureWindow }
                if state.failures.count >= Self.maxTrackedAddresses { state.failures.removeAll() }
            }
            var failures = state.failures[address] ?? Failures(count: 0, start: now)
            if now - failures.start >= Self.failureWindow { failures = Failures(count: 0, start: now) }
            failures.count += 1
            state.failures[address] = failures
        }
    }

    /// Removes a closed connection from `address`.
    func release(_ address: String) {
        self.state.withLockedValue { state in
            state.count -= 1
            let others = state.connections[address, default: 1] - 1
            state.connections[address] = others == 0 ? nil : others
        }
    }
}
