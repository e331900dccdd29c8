/// Section of a line that is too long to be recognized at once, or the whole of a shorter one.
struct LineSection {
    /// Box of the section, in upright pixels.
    let line: DetectedLine
    /// Whether the section ends between two words.
    let endsWord: Bool
}
