internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Who is let in by a token, and by which.
final class AccessControl: Sendable {
    /// What a token that was shown leads to.
    enum Verdict: Sendable {
        /// Its holder is let in, and counted until ``AccessControl/leave(_:)``.
        case granted(AccessToken)
        /// There is no such token.
        case wrong
        /// It is right, and yet does not let anybody in now.
        case refused(WireError)
    }

    private struct State: Sendable {
        var tokens: [AccessToken]
        /// By the names of the tokens.
        var connections: [String: Int] = [:]
    }

    /// Whether clients have to show a token at all.
    let isAsked: Bool
    private let state: NIOLockedValueBox<State>

    /// A door for the holders of `tokens`; without any it stands open.
    init(tokens: [AccessToken]) {
        self.isAsked = !tokens.isEmpty
        self.state = NIOLockedValueBox(State(tokens: tokens))
    }

    /// A client shows a token.
    ///
    /// - Parameters:
    ///   - guess: What it shows.
    ///   - seconds: The time, since 1970.
    /// - Returns: Whether it lets its holder in, who is counted then.
    func shown(_ guess: String, at seconds: Int) -> Verdict {
        self.state.withLockedValue { state in
            // All of them are compared, so that the time does not tell which was the right one either.
            let matches = state.tokens.filter { $0.matches(guess) }
            guard let token = matches.first else { return .wrong }
            if let expiry = token.expirySeconds, seconds >= expiry {
                return .refused(
                    WireError(.authFailed, "the token has expired; ask whoever runs the server for a new one")
                )
            }
            let others = state.connections[token.name, default: 0]
            if let limit = token.maxConnections, others >= limit {
                return .refused(
                    WireError(
                        .tooManyConnections,
                        "all \(limit) connections that this token may have are in use; close one, or connect again later"
                    )
                )
            }
            state.connections[token.name] = others + 1
            return .granted(token)
        }
    }

    /// Whether `token` would still be known, whatever its limits are now.
    func knows(_ token: AccessToken) -> Bool {
        self.state.withLockedValue { state in state.tokens.contains { $0.isSame(as: token) } }
    }

    /// A connection that was let in by `token` is closed, or has shown another one.
    func leave(_ token: AccessToken) {
        self.state.withLockedValue { state in
            let others = state.connections[token.name, default: 1] - 1
            state.connections[token.name] = others == 0 ? nil : others
        }
    }

    /// From now on these tokens count.
    func replace(with tokens: [AccessToken]) { self.state.withLockedValue { $0.tokens = tokens } }
}
