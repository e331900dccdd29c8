internal import CommandInput
internal import GlyphwireServer

extension AccessToken {
    /// The tokens in a server's file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: At least one token.
    /// - Throws: `InputError` if the file cannot be read or has no token.
    static func all(in path: String) throws(InputError) -> [AccessToken] {
        try TokenFile(path, for: .server).tokens.map { token in
            AccessToken(
                token.secret,
                name: token.name,
                expirySeconds: token.expirySeconds,
                maxConnections: token.maxConnections
            )
        }
    }
}
