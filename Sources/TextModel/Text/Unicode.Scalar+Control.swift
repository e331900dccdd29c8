extension Unicode.Scalar {
    /// Whether this is a control character, or separates lines or paragraphs; text without any is one line.
    package var isControl: Bool {
        switch self.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
