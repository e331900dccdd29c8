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
        /// Until when it was looked for tokens that expire, in seconds since 1970.
        var checkedSeconds = 0
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
            guard !token.hasExpired(at: seconds) else { return .refused(.expiredToken) }
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

    /// Whether a token that was shown is one that lets in; its holder is not counted.
    func opens(with guess: String, at seconds: Int) -> Bool {
        self.state.withLockedValue { state in
            let matches = state.tokens.filter { $0.matches(guess) }
            return matches.first.map { !$0.hasExpired(at: seconds) } ?? false
        }
    }

    /// Why a connection that was let in by `token` must go; `nil` if it may stay, whatever the token's other limits are now.
    func refusal(of token: AccessToken, at seconds: Int) -> WireError? {
        self.state.withLockedValue { state in
            guard let known = state.tokens.first(where: { $0.isSame(as: token) }) else { return .tokenTakenBack }
            return known.hasExpired(at: seconds) ? .expiredToken : nil
        }
    }

    /// Whether a token has expired since the last call.
    func hasExpiredToken(at seconds: Int) -> Bool {
        self.state.withLockedValue { state in
            defer { state.checkedSeconds = seconds }
            return state.tokens.contains { token in
                token.hasExpired(at: seconds) && !token.hasExpired(at: state.checkedSeconds)
            }
        }
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

extension WireError {
    fileprivate static let expiredToken = WireError(
        .authFailed,
        "the token has expired; ask whoever runs the server for a new one"
    )
    fileprivate static let tokenTakenBack = WireError(
        .authFailed,
        "the token of this connection is no longer known; ask whoever runs the server for a new one"
    )
}
