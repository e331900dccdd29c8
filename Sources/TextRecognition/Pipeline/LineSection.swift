/// What of a line is read at one time: all of it, or a section of one that is too long.
struct LineSection {
    let line: DetectedLine
    /// Whether a word ends where it does.
    let endsWord: Bool
}
