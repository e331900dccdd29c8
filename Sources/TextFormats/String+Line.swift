internal import TextModel

extension String {
    /// Text on one line: spaces for control characters and for line and paragraph separators.
    package var onOneLine: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: self.unicodeScalars.map { $0.isControl ? " " : $0 })
        return text
    }
}
