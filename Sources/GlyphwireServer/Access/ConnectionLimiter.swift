package import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Limiter of open connections, in total and per address, and of wrong tokens per address.
package final class ConnectionLimiter: Sendable {
    private struct State: Sendable {
        var admitted = Counts()
        /// Connections that stay open until their clients have their errors.
        var refused = Counts()
        var failures: [String: Failures] = [:]
    }

    /// Numbers of open connections.
    private struct Counts: Sendable {
        private(set) var total = 0
        private var byAddress: [String: Int] = [:]

        func count(of address: String) -> Int { self.byAddress[address, default: 0] }

        mutating func add(_ address: String) {
            self.total += 1
            self.byAddress[address, default: 0] += 1
        }

        mutating func remove(_ address: String) {
            self.total -= 1
            let others = self.byAddress[address, default: 1] - 1
            self.byAddress[address] = others == 0 ? nil : others
        }
    }

    /// Recent wrong tokens from one address.
    private struct Failures: Sendable {
        let start: ContinuousClock.Instant
        /// Hashes of the tokens: a client that repeats an old one is not guessing.
        var hashes: Set<Int> = []

        var count: Int { self.hashes.count }
    }

    /// Time for which wrong tokens count and an address with too many of them is refused.
    static let failureWindow = Duration.seconds(60)
    /// Maximum number of addresses with counted failures, which bounds the memory in a flood.
    private static let maxTrackedAddresses = 4096

    private let limits: ServerLimits
    private let state = NIOLockedValueBox(State())

    /// Creates a limiter without connections.
    package init(limits: ServerLimits) { self.limits = limits }

    /// Admits a connection, which is counted until ``release(_:)``.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - now: The time.
    /// - Throws: ``WireError`` that names the limit; then the connection is not counted.
    package func admit(_ address: String, at now: ContinuousClock.Instant = .now) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.admitted.total < self.limits.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnections) connections of this server are in use; connect again later"
                )
            }
            if let error = self.guessError(address, at: now, &state) { return error }
            guard state.admitted.count(of: address) < self.limits.maxConnectionsPerAddress else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnectionsPerAddress) connections allowed per address are in use; "
                        + "close one, or connect again later"
                )
            }
            state.admitted.add(address)
            return nil
        }
        if let error { throw error }
    }

    /// Checks that `address` may send another token.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - now: The time.
    /// - Throws: ``WireError`` if too many of its tokens were wrong within the last minute.
    func checkGuesses(from address: String, at now: ContinuousClock.Instant = .now) throws(WireError) {
        if let error = self.state.withLockedValue({ self.guessError(address, at: now, &$0) }) { throw error }
    }

    /// Counts a wrong token from `address`, unless it was counted within the last minute.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - token: The token.
    ///   - now: The time.
    func failedAuthentication(
        from address: String,
        with token: String,
        at now: ContinuousClock.Instant = .now
    ) {
        self.state.withLockedValue { state in
            if state.failures.count >= Self.maxTrackedAddresses {
                state.failures = state.failures.filter { now - $0.value.start < Self.failureWindow }
                if state.failures.count >= Self.maxTrackedAddresses { state.failures.removeAll() }
            }
            var failures = state.failures[address] ?? Failures(start: now)
            if now - failures.start >= Self.failureWindow { failures = Failures(start: now) }
            failures.hashes.insert(token.hashValue)
            state.failures[address] = failures
        }
    }

    /// Counts a refused connection from `address` until ``removeRefused(_:)``.
    ///
    /// - Returns: Whether it may stay open until the client has its error; otherwise it is not counted.
    func addRefused(_ address: String) -> Bool {
        self.state.withLockedValue { state in
            guard state.refused.total < self.limits.maxRefusedConnections,
                state.refused.count(of: address) < self.limits.maxRefusedConnectionsPerAddress
            else { return false }
            state.refused.add(address)
            return true
        }
    }

    /// Removes a closed connection from `address` that was refused.
    func removeRefused(_ address: String) { self.state.withLockedValue { $0.refused.remove(address) } }

    /// Removes a closed connection from `address`.
    package func release(_ address: String) { self.state.withLockedValue { $0.admitted.remove(address) } }

    /// The error for an address with too many wrong tokens within the last minute, which are forgotten afterwards.
    private func guessError(_ address: String, at now: ContinuousClock.Instant, _ state: inout State) -> WireError? {
        guard let failures = state.failures[address], failures.count >= self.limits.maxWrongTokens else { return nil }
        guard now - failures.start < Self.failureWindow else {
            state.failures[address] = nil
            return nil
        }
        return WireError(
            .tooManyGuesses,
            "\(failures.count) wrong tokens were sent from this address within a minute; wait a minute, and send "
                + "the right one"
        )
    }
}
