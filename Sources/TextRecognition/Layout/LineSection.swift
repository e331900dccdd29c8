/// A section of a line that is too long to be recognized at once, or all of a shorter one.
struct LineSection {
    /// The section's box, in upright pixels.
    let line: DetectedLine
    /// Whether the section ends between two words.
    let endsWord: Bool
}
