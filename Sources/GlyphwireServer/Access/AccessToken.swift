/// A secret that a client must show before it is served, and what comes with it.
public struct AccessToken: Sendable {
    /// What the token is called in logs; no two tokens of a server have the same name.
    public var name: String
    /// When it stops opening the door, and those it has let in must go, in seconds since 1970; `nil` never.
    public var expirySeconds: Int?
    /// Connections at a time that show it; `nil` for as many as the server takes.
    public var maxConnections: Int?
    private let bytes: [UInt8]

    /// A token.
    ///
    /// - Parameters:
    ///   - secret: What a client must show, byte for byte in UTF-8.
    ///   - name: What it is called in logs.
    ///   - expirySeconds: When it ends, in seconds since 1970.
    ///   - maxConnections: How many may use it at a time.
    public init(_ secret: String, name: String = "token", expirySeconds: Int? = nil, maxConnections: Int? = nil) {
        self.bytes = Array(secret.utf8)
        self.name = name
        self.expirySeconds = expirySeconds
        self.maxConnections = maxConnections
    }

    /// Whether `guess` is the secret, in a time that does not depend on how much of it is right.
    package func matches(_ guess: String) -> Bool { self.matches(Array(guess.utf8)) }

    /// Whether it no longer lets in.
    func hasExpired(at seconds: Int) -> Bool { self.expirySeconds.map { $0 <= seconds } ?? false }

    /// Whether the other token has the same name and secret.
    func isSame(as other: AccessToken) -> Bool { self.name == other.name && self.matches(other.bytes) }

    private func matches(_ guessed: [UInt8]) -> Bool {
        var difference = self.bytes.count ^ guessed.count
        for (index, byte) in self.bytes.enumerated() {
            // A guess of another length is wrong already; comparing the secret with itself keeps the work the same.
            let other = guessed.count == self.bytes.count ? guessed[index] : byte
            difference |= Int(byte ^ other)
        }
        return difference == 0
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and never the secret: it must not get into a log.
    public var description: String { "<token \(self.name)>" }
    /// The same.
    public var debugDescription: String { self.description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
