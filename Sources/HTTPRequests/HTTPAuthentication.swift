internal import Foundation

/// Authentication at a server on the web, by the challenge of its last answer: Basic (RFC 7617) or Digest (RFC 7616).
///
/// Nothing is sent before the server asks, so that one with Digest never gets the password itself.
struct HTTPAuthentication {
    /// Name and password.
    struct Credentials: Sendable, Equatable {
        let user: String
        let password: String
    }

    private enum Scheme {
        case basic
        case digest(DigestChallenge)
    }

    private let credentials: Credentials
    private var scheme: Scheme?
    /// Number of requests with the nonce of the challenge.
    private var requestCount = 0

    init(_ credentials: Credentials) { self.credentials = credentials }

    /// Takes the challenges of an answer with the code 401.
    ///
    /// - Parameters:
    ///   - headers: The values of `WWW-Authenticate`.
    ///   - isRetry: Whether the request answered the challenge before.
    /// - Returns: Whether another attempt may succeed.
    mutating func challenged(by headers: [String], isRetry: Bool) -> Bool {
        let challenges = headers.flatMap(AuthenticationChallenge.all)
        let digest = challenges.lazy.compactMap(DigestChallenge.init).first
        self.requestCount = 0
        guard let digest else {
            self.scheme = .basic
            return !isRetry
        }
        self.scheme = .digest(digest)
        // A nonce that is too old is replaced; name and password are right then.
        return !isRetry || digest.isStale
    }

    /// Value of the `Authorization` header for a request.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - uri: Its path and query.
    /// - Returns: The value; `nil` before a challenge.
    mutating func authorization(method: String, uri: String) -> String? {
        switch self.scheme {
        case nil: return nil
        case .basic:
            let pair = Data("\(self.credentials.user):\(self.credentials.password)".utf8)
            return "Basic \(pair.base64EncodedString())"
        case .digest(let challenge):
            self.requestCount += 1
            var generator = SystemRandomNumberGenerator()
            let nonce = String(generator.next() as UInt64, radix: 16) + String(generator.next() as UInt64, radix: 16)
            return challenge.authorization(
                self.credentials,
                method: method,
                uri: uri,
                count: self.requestCount,
                clientNonce: nonce
            )
        }
    }
}
