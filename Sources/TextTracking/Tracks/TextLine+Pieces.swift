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

    /// The line without those of its words that show known words: the end of one that is about as high, or, where the line is
    /// not sure, one with what is around it; `nil` where none is left.
    func without(_ known: [TextWord], isSure: Bool) -> TextLine? {
        self.only(
            self.words.filter { word in
                !known.contains { other in
                    let shared = word.box.intersectionArea(with: other.box)
                    let isEnd = other.box.height < Self.mostHeight * word.box.height
                    return isEnd && shared > Self.mostShared * word.box.area
                        || !isSure && shared > Self.mostShared * other.box.area
                }
            }
        )
    }

    /// Whether another line stands behind this one as a next word would.
    func isFollowed(by next: TextLine) -> Bool {
        self.box.topRight.distance(to: next.box.topLeft) < Self.widestGap * self.box.height
    }

    /// A word of which more lies in another one shows that one's end, or the other way round all of it.
    private static let mostShared: Float = 0.7
    /// A word that is so many times as high as another shows no end of it.
    private static let mostHeight: Float = 1.5
    /// The widest gap between words, in heights of the line.
    private static let widestGap: Float = 1.5
}
