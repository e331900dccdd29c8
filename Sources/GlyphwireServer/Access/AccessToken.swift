/// Access token: a secret that authenticates clients, with its name, expiry and connection limit.
package struct AccessToken: Sendable {
    /// Name of the token in logs, unique in a server.
    package var name: String
    /// Time of expiry in seconds since 1970; `nil` for none.
    ///
    /// Expiry closes the token's connections.
    package var expirySeconds: Int?
    /// Maximum number of simultaneous connections; `nil` for the server's limit.
    package var maxConnections: Int?
    private let bytes: [UInt8]

    /// The secret, for an address that carries it to a client; never for a log.
    package var secret: String { String(decoding: self.bytes, as: UTF8.self) }

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - secret: The secret, compared byte for byte in UTF-8.
    ///   - name: The name in logs.
    ///   - expirySeconds: The time of expiry, in seconds since 1970.
    ///   - maxConnections: The maximum number of simultaneous connections.
    package init(_ secret: String, name: String = "token", expirySeconds: Int? = nil, maxConnections: Int? = nil) {
        self.bytes = Array(secret.utf8)
        self.name = name
        self.expirySeconds = expirySeconds
        self.maxConnections = maxConnections
    }

    /// Whether `secret` is the token's, compared in constant time.
    package func matches(_ secret: String) -> Bool { self.matches(Array(secret.utf8)) }

    /// Whether the token has expired.
    func hasExpired(at seconds: Int) -> Bool { self.expirySeconds.map { $0 <= seconds } ?? false }

    /// Whether the other token has the same name and secret.
    func isSame(as other: AccessToken) -> Bool { self.name == other.name && self.matches(other.bytes) }

    private func matches(_ other: [UInt8]) -> Bool {
        var difference = self.bytes.count ^ other.count
        for (index, byte) in self.bytes.enumerated() {
            // Another length is a mismatch already; comparing the secret with itself keeps the time constant.
            let compared = other.count == self.bytes.count ? other[index] : byte
            difference |= Int(byte ^ compared)
        }
        return difference == 0
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, never the secret, which must not be logged.
    package var description: String { "<token \(self.name)>" }
    /// The same.
    package var debugDescription: String { self.description }
    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
