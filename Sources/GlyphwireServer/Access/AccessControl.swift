internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Access control by tokens: authenticates clients and counts the connections of each token.
final class AccessControl: Sendable {
    /// Outcome of an authentication.
    enum Verdict: Sendable {
        /// The client is authenticated; from ``AccessControl/authenticate(_:at:)`` on it counts towards the token's limit.
        case granted(AccessToken)
        /// The token is unknown.
        case wrong
        /// The token is known, but does not authenticate the client.
        case refused(AccessToken, Refusal)
    }

    /// Reason to refuse a token that is known, or was.
    enum Refusal: Sendable {
        /// The token has expired.
        case expired
        /// The token was removed from the file.
        case revoked
        /// The token has all connections that it may have.
        case inUse(limit: Int)

        /// The error that reports it.
        var error: WireError {
            switch self {
            case .expired:
                WireError(.authFailed, "the token has expired; ask the server's operator for a new one")
            case .revoked:
                WireError(
                    .authFailed,
                    "the token of this connection was revoked; ask the server's operator for a new one"
                )
            case .inUse(let limit):
                WireError(
                    .tooManyConnections,
                    "all \(limit) connections allowed for this token are in use; close one, or connect again later"
                )
            }
        }
    }

    private struct State: Sendable {
        var tokens: [AccessToken]
        /// Number of times that tokens were replaced or expired.
        var changes = 0
        /// Number of open connections by token name.
        var connections: [String: Int] = [:]
        /// Time of the last check for expired tokens, in seconds since 1970.
        var checkedSeconds = 0
    }

    /// Whether clients must send a token.
    let isRequired: Bool
    private let state: NIOLockedValueBox<State>

    /// Creates access control for the holders of `tokens`; without tokens, every client is served.
    init(tokens: [AccessToken]) {
        self.isRequired = !tokens.isEmpty
        self.state = NIOLockedValueBox(State(tokens: tokens))
    }

    /// Authenticates a connection.
    ///
    /// - Parameters:
    ///   - secret: The token that the client sent.
    ///   - seconds: The time, since 1970.
    /// - Returns: The outcome; a granted connection is counted.
    func authenticate(_ secret: String, at seconds: Int) -> Verdict {
        self.state.withLockedValue { state in
            // All tokens are compared, so that the time does not reveal which one matched.
            let matches = state.tokens.filter { $0.matches(secret) }
            guard let token = matches.first else { return .wrong }
            guard !token.hasExpired(at: seconds) else { return .refused(token, .expired) }
            let others = state.connections[token.name, default: 0]
            if let limit = token.maxConnections, others >= limit { return .refused(token, .inUse(limit: limit)) }
            state.connections[token.name] = others + 1
            return .granted(token)
        }
    }

    /// Checks a token whose holder is not counted.
    ///
    /// - Parameters:
    ///   - secret: The token that the client sent.
    ///   - seconds: The time, since 1970.
    /// - Returns: The outcome.
    func check(_ secret: String, at seconds: Int) -> Verdict {
        self.state.withLockedValue { state in
            let matches = state.tokens.filter { $0.matches(secret) }
            guard let token = matches.first else { return .wrong }
            return token.hasExpired(at: seconds) ? .refused(token, .expired) : .granted(token)
        }
    }

    /// The reason to close a connection authenticated by `token`; `nil` while the token is valid.
    func refusal(of token: AccessToken, at seconds: Int) -> Refusal? {
        self.state.withLockedValue { state in
            guard let known = state.tokens.first(where: { $0.isSame(as: token) }) else { return .revoked }
            return known.hasExpired(at: seconds) ? .expired : nil
        }
    }

    /// The ends of the tokens that have one.
    var credentials: [Credential] { Credential.all(of: self.state.withLockedValue(\.tokens)) }

    /// Number of times that tokens were replaced or expired.
    var changes: Int { self.state.withLockedValue(\.changes) }

    /// Whether a token has expired since the last call, which counts as a change.
    func hasExpiredToken(at seconds: Int) -> Bool {
        self.state.withLockedValue { state in
            defer { state.checkedSeconds = seconds }
            let hasExpired = state.tokens.contains { token in
                token.hasExpired(at: seconds) && !token.hasExpired(at: state.checkedSeconds)
            }
            if hasExpired { state.changes += 1 }
            return hasExpired
        }
    }

    /// Releases the connection's use of `token` after it closes or authenticates with another token.
    func release(_ token: AccessToken) {
        self.state.withLockedValue { state in
            let others = state.connections[token.name, default: 1] - 1
            state.connections[token.name] = others == 0 ? nil : others
        }
    }

    /// Replaces all tokens.
    func replace(with tokens: [AccessToken]) {
        self.state.withLockedValue { state in
            state.tokens = tokens
            state.changes += 1
        }
    }
}
