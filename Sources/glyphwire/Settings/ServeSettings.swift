internal import GlyphwireHTTP
internal import GlyphwireServer
internal import TextModel

/// Settings of a server, from its options, the environment and the settings file.
struct ServeSettings {
    /// Levels that the server offers, the default first.
    var levels = RecognitionLevel.allCases
    var server = ServerConfiguration()
    /// Configuration of the HTTP service; `nil` without one.
    var http: HTTPConfiguration?
    /// Maximum number of bytes of compiled networks; `nil` for the default.
    var networkMemory: Int?
    /// Certificates and tokens that end at a known time, of the files as they are now.
    var credentials: [Credential] = []

    /// The addresses, and what the start would print.
    var summary: String {
        let address = "\(self.server.host):\(self.server.port)"
        let service = self.http.map { ", HTTP on \($0.host):\($0.port)" } ?? ""
        let access =
            switch self.server.tokens.count {
            case 0: "no token"
            case 1: "1 token"
            case let count: "\(count) tokens"
            }
        return "\(address) (\(ServeOptions.summary(self.server, levels: self.levels)), \(access))\(service)"
    }
}
