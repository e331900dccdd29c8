extension String {
    /// Characters that mean themselves in every shell; a "=" at the start of a word names a command in zsh.
    private static let plainCharacters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+:,./-_".utf8
    )

    /// String as one word of a POSIX shell, in quotes if it needs them.
    package var quotedForShell: String {
        let isPlain = !self.isEmpty && self.utf8.allSatisfy { Self.plainCharacters.contains($0) }
        return isPlain ? self : "'\(self.replacing("'", with: #"'\''"#))'"
    }
}
