/// Finding of `glyphwire doctor` about this machine.
struct Finding {
    /// Weight of a finding.
    enum Verdict: String {
        case ok
        case warning
        /// The server would not start or not read, or refuse all clients because something has expired.
        case failed
    }

    let verdict: Verdict
    /// The subject, in a word or two.
    let subject: String
    /// The finding and, unless all is well, the remedy.
    let text: String

    init(_ verdict: Verdict, on subject: String, _ text: String) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
    }

    /// The finding as a line of a table.
    var line: String {
        // The longest subject is "more languages".
        Self.padded(self.verdict.rawValue, to: 9) + Self.padded(self.subject, to: 15) + self.text
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}
