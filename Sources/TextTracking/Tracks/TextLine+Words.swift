internal import TextModel
internal import TextRecognition

extension TextLine {
    private enum Tuning {
        /// Least share of a word's area in another word of which it is a part; chosen by eye.
        static let minContainedShare: Float = 0.7
        /// Largest height of a word, as a ratio to that of a part of it; chosen by eye.
        static let maxHeightRatio: Float = 1.5
        /// Largest gap between neighbouring words in heights of the line; chosen by eye.
        static let maxGap: Float = 1.5
    }

    /// Line of some of its words, in their order; `nil` for no words.
    func restricted(to words: [TextWord]) -> TextLine? {
        guard let first = words.first, let last = words.last else { return nil }
        guard words.count < self.words.count else { return self }
        var line = self
        line.words = words
        line.text = Self.text(of: words)
        line.box = first.box.extended(to: last.box)
        if line.reason == nil { line.script = Script.most(of: line.text)?.rawValue }
        // Other readings are those of the whole line, and not known word by word.
        line.candidates = line.candidates.prefix(1).map { TextCandidate(text: line.text, confidence: $0.confidence) }
        return line
    }

    /// Line without duplicates of known words; `nil` where no word is left.
    ///
    /// A duplicate is the end of a known word of about the same height, or, where the line is not sure, a known word with its
    /// surroundings.
    func removing(duplicatesOf known: [TextWord], isSure: Bool) -> TextLine? {
        self.restricted(
            to: self.words.filter { word in
                !known.contains { other in
                    let shared = word.box.intersectionArea(with: other.box)
                    let isEnd = other.box.height < Tuning.maxHeightRatio * word.box.height
                    return isEnd && shared > Tuning.minContainedShare * word.box.area
                        || !isSure && shared > Tuning.minContainedShare * other.box.area
                }
            }
        )
    }

    /// Whether another line follows this one as a next word would.
    func isFollowed(by next: TextLine) -> Bool {
        self.box.topRight.distance(to: next.box.topLeft) < Tuning.maxGap * self.box.height
    }

    /// Line with all its boxes moved.
    func moved(by motion: Affine) -> TextLine { self.mapBoxes { motion($0) } }
}
