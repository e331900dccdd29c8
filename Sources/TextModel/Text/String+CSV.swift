extension String {
    /// Text as a field of a CSV file, in quotes (RFC 4180).
    ///
    /// A quote before a combining mark, with which it is another character, is doubled too: readers go by its byte.
    package var quotedForCSV: String {
        let scalars = self.unicodeScalars.map { scalar in scalar == "\"" ? "\"\"" : String(scalar) }
        return "\"\(scalars.joined())\""
    }
}
