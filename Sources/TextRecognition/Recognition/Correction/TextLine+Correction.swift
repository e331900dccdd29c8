internal import TextModel

extension TextLine {
    /// Takes the text of corrected words, which is the best candidate then and none of the others.
    mutating func takeTextOfWords() {
        let text = TextLine.text(of: self.words)
        self.text = text
        guard var best = self.candidates.first else { return }
        best.text = text
        self.candidates = [best] + self.candidates.dropFirst().filter { $0.text != text }
    }
}
