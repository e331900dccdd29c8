internal import TextModel
internal import TextRecognition

extension TextLine {
    /// The line with some of its words alone, in their order; `nil` where there are none.
    func only(_ words: [TextWord]) -> TextLine? {
        guard let first = words.first, let last = words.last else { return nil }
        guard words.count < self.words.count else { return self }
        var line = self
        line.words = words
        line.text = Self.text(of: words)
        line.box = first.box.extended(to: last.box)
        line.script = Script.most(of: line.text)?.rawValue
        // What else the line may say is not known word by word.
        line.candidates = line.candidates.prefix(1).map { TextCandidate(text: line.text, confidence: $0.confidence) }
        return line
    }

    /// The line without those of its words most of which lies in other ones that are about as high; `nil` where none is left.
    func without(_ others: [TextWord]) -> TextLine? {
        self.only(
            self.words.filter { word in
                !others.contains { other in
                    other.box.height < Self.mostHeight * word.box.height
                        && word.box.sharedArea(with: other.box) > Self.mostShared * word.box.area
                }
            }
        )
    }

    /// Whether another line stands behind this one as a next word would.
    func isFollowed(by next: TextLine) -> Bool {
        self.box.topRight.distance(to: next.box.topLeft) < Self.widestGap * self.box.height
    }

    /// A word of which more lies in another one shows that one's end.
    private static let mostShared: Float = 0.7
    /// A word that is so many times as high as another shows no end of it.
    private static let mostHeight: Float = 1.5
    /// The widest gap between words, in heights of the line.
    private static let widestGap: Float = 1.5
}
