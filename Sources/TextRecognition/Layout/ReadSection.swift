internal import TextModel

/// Recognized section of a long line.
struct ReadSection {
    /// The recognized section in sent pixels; `nil` if it has no text.
    let line: TextLine?
    /// Whether the section ends between two words; see ``LineSection/endsWord``.
    let endsWord: Bool
}
