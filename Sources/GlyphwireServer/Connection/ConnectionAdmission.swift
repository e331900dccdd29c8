internal import GlyphwireProtocol

/// Admission of one connection: the address it counts for and the token that authenticated it.
struct ConnectionAdmission {
    /// How long the answer to a wrong token is held back.
    let wrongTokenDelay: Duration
    /// The token that the client has shown, once it was granted.
    private(set) var token: AccessToken?

    private let limiter: ConnectionLimiter
    private let access: AccessControl
    private var address: String?

    /// A connection that was not admitted yet.
    init(limiter: ConnectionLimiter, access: AccessControl, wrongTokenDelay: Duration) {
        self.limiter = limiter
        self.access = access
        self.wrongTokenDelay = wrongTokenDelay
    }

    /// Whether clients must show a token.
    var requiresToken: Bool { self.access.isRequired }

    /// Admits a connection from `address`, which it counts for until ``release()``.
    ///
    /// - Throws: ``WireError`` if a limit keeps it out.
    mutating func admit(_ address: String) throws(WireError) {
        try self.limiter.admit(address)
        self.address = address
    }

    /// Checks a token that the client shows.
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
        switch self.access.authenticate(secret, at: seconds) {
        case .granted(let token):
            if let earlier = self.token { self.access.release(earlier) }
            self.token = token
            return .granted
        case .wrong:
            if let address = self.address { self.limiter.failedAuthentication(from: address) }
            return .wrong
        case .refused(let error):
            return .refused(error)
        }
    }

    /// The reason why the client's token no longer authenticates it; `nil` while it does.
    func revocation(at seconds: Int) -> AccessControl.Refusal? {
        self.token.flatMap { self.access.refusal(of: $0, at: seconds) }
    }

    /// The connection is closed.
    func release() {
        if let address = self.address { self.limiter.release(address) }
        if let token = self.token { self.access.release(token) }
    }
}
