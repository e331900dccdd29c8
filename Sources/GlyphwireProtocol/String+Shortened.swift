extension String {
    /// Maximum number of scalars that an error message quotes: the longest names and codes of the protocol have fewer.
    private static let maxQuotedScalars = 64

    /// Start of a text from a peer, short enough for an error message.
    ///
    /// The length is in scalars: a single character can be as long as the whole body.
    package var shortened: String {
        let start = self.unicodeScalars.prefix(Self.maxQuotedScalars)
        return start.endIndex == self.endIndex ? self : String(start) + "…"
    }
}
