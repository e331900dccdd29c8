internal import Crypto
internal import Foundation
internal import TextModel

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
