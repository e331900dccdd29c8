extension String {
    /// Text on one line: spaces for control characters and for line and paragraph separators.
    package var onOneLine: String {
        var text = ""
        text.unicodeScalars.append(
            contentsOf: self.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: " "
                default: scalar
                }
            }
        )
        return text
    }
}
