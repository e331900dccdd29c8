/// Keys of log metadata.
enum LogKeys {
    static let connection = "connection"
    static let peer = "peer"
    static let client = "client"
    static let token = "token"
    static let frames = "frames"
    static let failed = "failed"
    static let dropped = "dropped"
    static let expired = "expired"
    static let reason = "reason"
    static let code = "code"
    static let address = "address"
    static let workers = "workers"
    static let levels = "levels"
    static let connections = "connections"
    static let error = "error"
}
