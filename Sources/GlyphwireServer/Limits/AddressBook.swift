internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Who is connected from where, so that no address takes all there is.
final class AddressBook: Sendable {
    private struct State: Sendable {
        var count = 0
        var connections: [String: Int] = [:]
        var guesses: [String: Guesses] = [:]
    }

    /// Wrong tokens that came from one address.
    private struct Guesses: Sendable {
        var count: Int
        var start: ContinuousClock.Instant
    }

    /// For how long wrong tokens count, and an address with too many of them is kept out.
    static let guessTime = Duration.seconds(60)
    /// Addresses whose guesses are remembered; a crowd of guessers must not take memory without end.
    private static let maxGuessers = 4096

    private let limits: ServerLimits
    private let state = NIOLockedValueBox(State())

    /// An empty book with the limits of a server.
    init(limits: ServerLimits) { self.limits = limits }

    /// Takes a connection in.
    ///
    /// - Parameters:
    ///   - address: Where it comes from.
    ///   - now: The time.
    /// - Throws: ``WireError`` that says why it cannot be served; it is not counted then.
    func enter(_ address: String, at now: ContinuousClock.Instant = .now) throws(WireError) {
        let error = self.state.withLockedValue { state -> WireError? in
            guard state.count < self.limits.maxConnections else {
                return WireError(
                    .tooManyConnections,
                    "all \(self.limits.maxConnections) connections of this server are in use; connect again later"
                )
            }
            if let guesses = state.guesses[address], guesses.count >= self.limits.maxWrongTokens {
                guard now - guesses.start >= Self.guessTime else {
                    return WireError(
                        .tooManyGuesses,
                        "\(guesses.count) wrong tokens came from this address within a minute; wait a minute, and send the "
                            + "right one"
                    )
                }
                state.guesses[address] = nil
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

    /// A wrong token came from `address`.
    func guessed(_ address: String, at now: ContinuousClock.Instant = .now) {
        self.state.withLockedValue { state in
            if state.guesses.count >= Self.maxGuessers {
                state.guesses = state.guesses.filter { now - $0.value.start < Self.guessTime }
                if state.guesses.count >= Self.maxGuessers { state.guesses.removeAll() }
            }
            var guesses = state.guesses[address] ?? Guesses(count: 0, start: now)
            if now - guesses.start >= Self.guessTime { guesses = Guesses(count: 0, start: now) }
            guesses.count += 1
            state.guesses[address] = guesses
        }
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
