internal import Crypto
internal import Foundation
internal import TextModel

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

/// Challenge in a `WWW-Authenticate` header (RFC 9110, section 11.3).
struct AuthenticationChallenge: Equatable {
    /// Scheme in lower case.
    let scheme: String
    /// Parameters by their names in lower case.
    var parameters: [String: String] = [:]

    /// The challenges of a header, which are separated by commas as their parameters are.
    static func all(in header: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for item in self.items(of: header) {
            var item = item[...]
            // A parameter with a scheme in front begins another challenge.
            let head = item.prefix { $0 != " " && $0 != "=" && $0 != "\"" }
            if head.endIndex == item.endIndex || item[head.endIndex] == " " {
                challenges.append(AuthenticationChallenge(scheme: head.lowercased()))
                item = item[head.endIndex...]
            }
            guard let equals = item.firstIndex(of: "="), let last = challenges.indices.last else { continue }
            let name = item[..<equals].filter { $0 != " " }.lowercased()
            challenges[last].parameters[name] = self.unquoted(item[item.index(after: equals)...])
        }
        return challenges
    }

    /// Parts of a header between commas that are not in quotes.
    private static func items(of header: String) -> [String] {
        var (items, isQuoted, isEscaped) = ([""], false, false)
        for character in header {
            if character == ",", !isQuoted {
                items.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if items[items.count - 1].isEmpty, character == " " { continue }
            items[items.count - 1].append(character)
        }
        return items.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: Substring) -> String {
        let text = text.drop { $0 == " " }
        guard text.first == "\"" else { return String(text.prefix { $0 != " " }) }
        var (value, isEscaped) = ("", false)
        for character in text.dropFirst() {
            if !isEscaped, character == "\"" { break }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { value.append(character) }
        }
        return value
    }
}

/// Challenge by Digest authentication that can be answered: MD5 or SHA-256, for the request without its body.
struct DigestChallenge {
    private enum Algorithm: String {
        case md5
        case sha256 = "sha-256"

        func hash(_ text: String) -> String {
            switch self {
            case .md5: Insecure.MD5.hash(data: Data(text.utf8)).hexadecimal
            case .sha256: SHA256.hash(data: Data(text.utf8)).hexadecimal
            }
        }
    }

    private let algorithm: Algorithm
    /// Name of the algorithm as the server wrote it; `nil` where it did not.
    private let algorithmName: String?
    /// Whether the nonces are part of the password's hash.
    private let isSession: Bool
    private let realm: String
    private let nonce: String
    private let opaque: String?
    /// Whether requests are counted, as since RFC 2617.
    private let isCounted: Bool
    /// Whether only the nonce of the last request was not accepted.
    let isStale: Bool

    /// The challenge; `nil` if it is none, or cannot be answered.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"] else {
            return nil
        }
        let name = parameters["algorithm"]?.lowercased() ?? Algorithm.md5.rawValue
        self.isSession = name.hasSuffix("-sess")
        guard let algorithm = Algorithm(rawValue: self.isSession ? String(name.dropLast(5)) : name) else { return nil }
        let qualities = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " }
        guard qualities?.contains("auth") ?? true else { return nil }
        self.algorithm = algorithm
        self.algorithmName = parameters["algorithm"]
        (self.realm, self.nonce, self.opaque) = (realm, nonce, parameters["opaque"])
        self.isCounted = qualities != nil
        self.isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Answers the challenge with a request.
    ///
    /// - Parameters:
    ///   - credentials: The name and password.
    ///   - method: The method of the request.
    ///   - uri: The path and query of the request.
    ///   - count: Number of requests with this challenge, this one included.
    ///   - clientNonce: A text that no one can guess.
    /// - Returns: The value of the `Authorization` header.
    func authorization(
        _ credentials: HTTPAuthentication.Credentials,
        method: String,
        uri: String,
        count: Int,
        clientNonce: String
    ) -> String {
        let hash = self.algorithm.hash
        let counter = String(count, radix: 16).zeroPadded(to: 8)
        var secret = hash("\(credentials.user):\(self.realm):\(credentials.password)")
        if self.isSession { secret = hash("\(secret):\(self.nonce):\(clientNonce)") }
        let request = hash("\(method):\(uri)")
        let counted = self.isCounted ? "\(counter):\(clientNonce):auth:" : ""
        let response = hash("\(secret):\(self.nonce):\(counted)\(request)")
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        var fields = [
            "username=\(quoted(credentials.user))", "realm=\(quoted(self.realm))", "nonce=\(quoted(self.nonce))",
            "uri=\(quoted(uri))", "response=\"\(response)\"",
        ]
        if let name = self.algorithmName { fields.append("algorithm=\(name)") }
        if let opaque = self.opaque { fields.append("opaque=\(quoted(opaque))") }
        if self.isCounted { fields += ["qop=auth", "nc=\(counter)"] }
        if self.isCounted || self.isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        return "Digest " + fields.joined(separator: ", ")
    }
}
