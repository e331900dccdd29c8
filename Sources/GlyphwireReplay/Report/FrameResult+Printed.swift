internal import GlyphwireProtocol
internal import TextModel

extension FrameResult {
    /// Frame and its text in one line that is safe on any terminal.
    package var printed: String {
        let text =
            switch self.outcome {
            case .ok(let text) where text.lines.isEmpty: "(no text)"
            case .ok(let text): text.lines.map(\.text).joined(separator: " / ")
            case .error(let error): "error \(error.code.rawValue): \(error.message)"
            case .dropped(let newer): "dropped for frame \(newer)"
            case .expired: "expired"
            case .other(let status): status
            }
        return "frame \(self.sequence): \(text.withoutControlCharacters)"
    }
}

extension String {
    /// Text with control characters, which could affect a terminal, made visible.
    var withoutControlCharacters: String {
        let isPlain = self.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !isPlain else { return self }
        return String(
            String.UnicodeScalarView(
                self.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
            )
        )
    }
}
