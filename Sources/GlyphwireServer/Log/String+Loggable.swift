internal import TextModel

extension String {
    /// Longest text of a peer in the log.
    private static let maxLoggableLength = 300

    /// Creates the text of an error of TLS or of the system for the log.
    package init(loggable error: any Error) {
        // BoringSSL's errors end with the file and the line of its own source.
        self = "\(error)".replacing(/\sat\s[^ ]+:[0-9]+/, with: "").loggable
    }

    /// The text as one line of the log, not too long, with what a peer may have sent to forge it made visible.
    ///
    /// Besides control characters, that is format characters, which can reverse the order of what follows.
    package var loggable: String {
        let scalars = self.unicodeScalars.prefix(Self.maxLoggableLength).map { scalar in
            scalar.isControl || scalar.properties.generalCategory == .format
                ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return scalars.joined()
    }
}
