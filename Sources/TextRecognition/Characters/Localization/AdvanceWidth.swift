/// Advance widths of characters in typical proportional type.
///
/// They give a first guess of where touching characters meet. The classes are those of common sans-serif text faces:
/// Helvetica's advance widths are 222 for i, j and l, 278 for f, t and most punctuation, 333 for r, 500 to 556 for most lower
/// case letters and figures, 722 for most capitals, and 833 and more for m, M, W and @.
enum AdvanceWidth {
    /// Returns the advance width of a character in ems.
    static func relative(_ character: String) -> Float {
        guard let scalar = character.unicodeScalars.first else { return 0.5 }
        switch scalar {
        case "i", "j", "l", "I", "|", "'", "!", ".", ",", ":", ";", "`": return 0.25
        case "f", "t", "r", "(", ")", "[", "]", "{", "}", "-", "/", "\\", "\"", "1", "*": return 0.33
        case "m", "w", "M", "W", "@", "%": return 0.85
        case "A"..."Z": return 0.68
        case "\u{2E80}"..."\u{9FFF}", "\u{FF01}"..."\u{FF60}": return 1
        default: return 0.53
        }
    }

    /// Whether a character is narrower than most in a proportional face, and not in a monospaced one.
    static func isNarrow(_ character: String) -> Bool { character != "1" && self.relative(character) <= 0.33 }
}
