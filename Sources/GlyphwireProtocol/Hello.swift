public import TextModel

/// Description of the server: the content of its first line, `hello`.
public struct Hello: Sendable, Hashable {
    /// Version of the protocol that this module implements.
    public static let protocolVersion = 1

    /// Optional features of the protocol version that this module implements, as Protocol.md names them.
    public static let features = ["stats", "delivery", "temporal"]

    /// Authentication that the server requires.
    public enum Authentication: String, Sendable, CaseIterable {
        /// No authentication.
        case none
        /// A token in the client's first message.
        case token
    }

    /// Name of the server software.
    public var server: String
    /// Version of the server software.
    public var version: String
    /// Version of the protocol.
    public var protocolVersion: Int
    /// Authentication that the server requires.
    public var authentication: Authentication
    /// Limits on what a client may send.
    public var limits: WireLimits
    /// Largest value of a message's length field before a valid token; `nil` if none is required, or the server does not say.
    public var maxUnauthenticatedBytes: Int?
    /// Recognition levels that the server offers.
    public var levels: [RecognitionLevel]
    /// Codes of languages that each level reads beside those of its models; empty by default.
    public var languages: [String]
    /// Names of optional features of this protocol version that the server has.
    public var features: [String]

    /// Creates the description of a server.
    public init(
        server: String = "glyphwire",
        version: String,
        protocolVersion: Int = Hello.protocolVersion,
        authentication: Authentication = .none,
        limits: WireLimits,
        maxUnauthenticatedBytes: Int? = nil,
        levels: [RecognitionLevel],
        languages: [String] = [],
        features: [String] = Hello.features
    ) {
        self.server = server
        self.version = version
        self.protocolVersion = protocolVersion
        self.authentication = authentication
        self.limits = limits
        self.maxUnauthenticatedBytes = maxUnauthenticatedBytes
        self.levels = levels
        self.languages = languages
        self.features = features
    }
}
