/// Line of text prepared for searching, in each form that a pattern needs.
package struct SearchedText {
    private let scalars: [Unicode.Scalar]
    private var texts: [Folding: FoldedText] = [:]

    /// Prepares `scalars` for searching.
    package init(_ scalars: some Sequence<Unicode.Scalar>) { self.scalars = Array(scalars) }

    /// The text in one form.
    mutating func folded(_ folding: Folding) -> FoldedText {
        if let text = self.texts[folding] { return text }
        let text = FoldedText(self.scalars, folding: folding)
        self.texts[folding] = text
        return text
    }
}
