/// Expected place and width of a character, before its foreground is measured.
struct ExpectedCharacter {
    /// Recognizer's centre in pixels of the rectified line, up to a time step off.
    let centre: Float
    /// Advance width relative to the other characters.
    let advanceWidth: Float
}

extension Collection<ExpectedCharacter> {
    /// Sum of the characters' advance widths.
    var totalWidth: Float { self.reduce(0) { $0 + $1.advanceWidth } }
}
