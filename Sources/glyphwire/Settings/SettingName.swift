internal import GlyphwireServer

/// Name of a setting's environment variable, behind the prefix `GLYPHWIRE_`; those of limits are in the table of limits.
enum SettingName: String, CaseIterable {
    case config = "CONFIG"
    case host = "HOST"
    case port = "PORT"
    case workers = "WORKERS"
    case networkMemory = "NETWORK_MEMORY"
    case networkCache = "NETWORK_CACHE"
    case level = "LEVEL"
    case levels = "LEVELS"
    case models = "MODELS"
    case tokenFile = "TOKEN_FILE"
    case tlsCertificate = "TLS_CERTIFICATE"
    case tlsKey = "TLS_KEY"
    case tlsClientCA = "TLS_CLIENT_CA"
    case tlsSelfSigned = "TLS_SELF_SIGNED"
    case proxyProtocol = "PROXY_PROTOCOL"
    case insecure = "INSECURE"
    case http = "HTTP"
    case allowedOrigins = "HTTP_CORS"
    case logLevel = "LOG_LEVEL"
    case logFormat = "LOG_FORMAT"

    /// Names of all settings, those of limits among them.
    static var withLimits: [String] { Self.allCases.map(\.rawValue) + ServerLimit.all.map(\.variable) }
}
