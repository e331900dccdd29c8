public import TextModel

/// Description of the server: the content of its first line, `hello`.
public struct Hello: Sendable, Hashable {
    /// Version of the protocol that this module implements.
    public static let protocolVersion = 1

    /// Optional features of the protocol version that this module implements, as Protocol.md names them.
    public static let features = MessageType.allCases.compactMap(\.feature) + ["delivery", "temporal"]

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

extension Hello: LineContent {
    static let lineType = LineType.hello

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(server: "", version: "", limits: WireLimits(), levels: [], features: [])
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "server": self.server = try reader.string()
            case "version": self.version = try reader.string()
            case "protocol": self.protocolVersion = try reader.integer()
            case "auth": self.authentication = try reader.choice()
            case "limits": try self.readLimits(from: &reader)
            case "levels":
                // Unknown levels are skipped, as this client cannot request them.
                self.levels = try reader.strings().compactMap(RecognitionLevel.init(rawValue:))
            case "languages": self.languages = try reader.strings()
            case "features": self.features = try reader.strings()
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.string("server", self.server)
        json.string("version", self.version)
        json.integer("protocol", self.protocolVersion)
        json.string("auth", self.authentication.rawValue)
        json.object("limits") { json in
            json.integer("max_message_bytes", self.limits.maxMessageBytes)
            json.integer("max_pixels", self.limits.picture.maxPixels)
            json.integer("max_side", self.limits.picture.maxSide)
            json.integer("max_configure_bytes", self.limits.maxConfigureBytes)
            if let limit = self.maxUnauthenticatedBytes { json.integer("max_unauthenticated_bytes", limit) }
        }
        json.strings("levels", self.levels.map(\.rawValue))
        if !self.languages.isEmpty { json.strings("languages", self.languages) }
        json.strings("features", self.features)
    }

    private mutating func readLimits(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "max_message_bytes": self.limits.maxMessageBytes = try reader.integer()
            case "max_pixels": self.limits.picture.maxPixels = try reader.integer()
            case "max_side": self.limits.picture.maxSide = try reader.integer()
            case "max_configure_bytes": self.limits.maxConfigureBytes = try reader.integer()
            case "max_unauthenticated_bytes": self.maxUnauthenticatedBytes = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }
}
