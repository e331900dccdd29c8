extension String {
    /// Longest text of a peer in the log.
    private static let maxLoggableLength = 300

    /// Creates the text of an error of TLS or of the system for the log.
    package init(loggable error: any Error) {
        // BoringSSL's errors end with the file and the line of its own source.
        self = "\(error)".replacing(/\sat\s[^ ]+:[0-9]+/, with: "").loggable
    }

    /// The text as one line of the log: without control characters, which a peer may have sent, and not too long.
    package var loggable: String {
        let scalars = self.unicodeScalars.prefix(Self.maxLoggableLength).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }
        return scalars.joined()
    }
}
