public import TextModel

/// What the server says of itself, first and unasked.
public struct Hello: Sendable, Hashable {
    /// The version of the protocol that this module speaks.
    public static let protocolVersion = 1

    /// What a client must show before it is served.
    public enum Authentication: String, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// A token, in its first message.
        case token
    }

    /// The name of the software.
    public var server: String
    /// The software's version.
    public var version: String
    /// The protocol's version.
    public var protocolVersion: Int
    /// What a client must show.
    public var authentication: Authentication
    /// What a client may ask for.
    public var limits: WireLimits
    /// The levels that this server was started with.
    public var levels: [RecognitionLevel]
    /// Names of abilities that another server of the same protocol version may lack.
    public var features: [String]

    /// A server's greeting.
    public init(
        server: String = "glyphwire",
        version: String,
        protocolVersion: Int = Hello.protocolVersion,
        authentication: Authentication = .none,
        limits: WireLimits,
        levels: [RecognitionLevel],
        features: [String] = ["stats", "delivery", "temporal"]
    ) {
        self.server = server
        self.version = version
        self.protocolVersion = protocolVersion
        self.authentication = authentication
        self.limits = limits
        self.levels = levels
        self.features = features
    }
}
