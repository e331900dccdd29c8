internal import GlyphwireProtocol
internal import NIOCore

/// Admission of one connection: its key in the limiter, and the token that authenticated it.
struct ConnectionAdmission {
    /// Delay before a wrong token is answered.
    let wrongTokenDelay: Duration
    /// Token that authenticated the client.
    private(set) var token: AccessToken?
    /// Known token that did not authenticate the client, and the reason.
    private(set) var refusedToken: (token: AccessToken, refusal: AccessControl.Refusal)?
    /// Reason why the connection was refused; `nil` for one that was admitted, or not decided yet.
    private(set) var refusal: WireError?

    private let limiter: ConnectionLimiter
    /// Limiter of the connections that stay open until their clients have their errors.
    private let refusedLimiter: ConnectionLimiter
    private let wrongTokens: WrongTokenCounter
    private let access: AccessControl
    /// Key of a connection that is counted as admitted.
    private var limitKey: String?
    /// Key of a connection that is counted as refused.
    private var refusedLimitKey: String?

    /// Creates the state of a connection that is not admitted yet.
    init(
        limiter: ConnectionLimiter,
        refusedLimiter: ConnectionLimiter,
        wrongTokens: WrongTokenCounter,
        access: AccessControl,
        wrongTokenDelay: Duration
    ) {
        self.limiter = limiter
        self.refusedLimiter = refusedLimiter
        self.wrongTokens = wrongTokens
        self.access = access
        self.wrongTokenDelay = wrongTokenDelay
    }

    /// Whether clients must send a token.
    var requiresToken: Bool { self.access.isRequired }

    /// Whether the connection was admitted or refused.
    var isDecided: Bool { self.limitKey != nil || self.refusal != nil }

    /// Admits a connection, or refuses it with ``refusal``; it is counted until ``release()``.
    ///
    /// - Parameter client: The client's address.
    /// - Returns: Whether it may stay, to be served or to get its error.
    mutating func admit(_ client: SocketAddress?) -> Bool {
        let limitKey = client?.limitKey ?? "unknown"
        do throws(WireError) {
            try self.wrongTokens.check(limitKey)
            try self.limiter.admit(limitKey)
            self.limitKey = limitKey
            return true
        } catch {
            self.refusal = error
        }
        do throws(WireError) {
            try self.refusedLimiter.admit(limitKey)
            self.refusedLimitKey = limitKey
            return true
        } catch {
            return false
        }
    }

    /// Checks a token from the client.
    ///
    /// - Parameters:
    ///   - secret: The token as received.
    ///   - seconds: The time, since 1970.
    /// - Returns: Whether it authenticates the client.
    mutating func authenticate(_ secret: String, at seconds: Int) -> ConnectionStateMachine.Access {
        guard self.access.isRequired else { return .notShown }
        if let token = self.token, token.matches(secret), self.access.refusal(of: token, at: seconds) == nil {
            return .granted
        }
        if let limitKey = self.limitKey {
            // Connections that were opened before the guesses are held to the limit as well.
            do throws(WireError) {
                try self.wrongTokens.check(limitKey)
            } catch {
                return .refused(error)
            }
        }
        switch self.access.authenticate(secret, at: seconds) {
        case .granted(let token):
            if let earlier = self.token { self.access.release(earlier) }
            self.token = token
            return .granted
        case .wrong:
            if let limitKey = self.limitKey { self.wrongTokens.add(secret, from: limitKey) }
            return .wrong
        case .refused(let token, let refusal):
            self.refusedToken = (token, refusal)
            return .refused(refusal.error)
        }
    }

    /// The reason why the client's token no longer authenticates it; `nil` while it does.
    func revocation(at seconds: Int) -> AccessControl.Refusal? {
        self.token.flatMap { self.access.refusal(of: $0, at: seconds) }
    }

    /// Releases the closed connection's key and token.
    func release() {
        if let limitKey = self.limitKey { self.limiter.release(limitKey) }
        if let limitKey = self.refusedLimitKey { self.refusedLimiter.release(limitKey) }
        if let token = self.token { self.access.release(token) }
    }
}
