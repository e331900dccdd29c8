internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Counter of the wrong tokens of each client, by which those that guess are refused.
package final class WrongTokenCounter: Sendable {
    /// Recent wrong tokens of one client.
    private struct Failures: Sendable {
        let start: ContinuousClock.Instant
        /// Hashes of the tokens: a client that repeats an old one is not guessing.
        var hashes: Set<Int> = []
    }

    /// Time for which wrong tokens count and a client with too many of them is refused.
    package static let window = Duration.seconds(60)
    /// Maximum number of clients with counted tokens, which bounds the memory in a flood.
    private static let maxTrackedClients = 4096

    private let limit: Int
    private let failures = NIOLockedValueBox<[String: Failures]>([:])

    /// Creates a counter without tokens.
    ///
    /// - Parameter limit: Number of different wrong tokens of one client after which it is refused.
    init(limit: Int) { self.limit = limit }

    /// Checks that the client of `limitKey` may send another token.
    ///
    /// - Parameters:
    ///   - limitKey: Key of the client in the limits.
    ///   - now: The time.
    /// - Throws: ``WireError`` if too many of its tokens were wrong within the last minute; they are forgotten afterwards.
    func check(_ limitKey: String, at now: ContinuousClock.Instant = .now) throws(WireError) {
        let count = self.failures.withLockedValue { failures in
            if let known = failures[limitKey], now - known.start >= Self.window { failures[limitKey] = nil }
            return failures[limitKey]?.hashes.count ?? 0
        }
        guard count >= self.limit else { return }
        throw WireError(
            .tooManyGuesses,
            "\(count) wrong tokens were sent from this address within a minute; wait a minute, and send the right one"
        )
    }

    /// Counts a wrong token of `limitKey`, unless it was counted within the last minute.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - limitKey: Key of the client in the limits.
    ///   - now: The time.
    func add(_ token: String, from limitKey: String, at now: ContinuousClock.Instant = .now) {
        self.failures.withLockedValue { failures in
            if failures.count >= Self.maxTrackedClients {
                failures = failures.filter { now - $0.value.start < Self.window }
                if failures.count >= Self.maxTrackedClients { failures.removeAll() }
            }
            var known = failures[limitKey] ?? Failures(start: now)
            if now - known.start >= Self.window { known = Failures(start: now) }
            known.hashes.insert(token.hashValue)
            failures[limitKey] = known
        }
    }
}
