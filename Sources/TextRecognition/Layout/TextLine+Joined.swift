package import TextModel

extension TextLine {
    /// The sections of a line as one line; `nil` where nothing was read in any.
    ///
    /// What reads against the longest of them, as upside down, is a misreading and left out.
    ///
    /// - Parameters:
    ///   - sections: From one end to the other, `nil` where nothing was read.
    ///   - endsWord: Of each whether a word ends where it does.
    init?(joining sections: [TextLine?], endsWord: [Bool]) {
        guard let longest = sections.compactMap(\.self).max(by: { $0.box.width < $1.box.width })?.box else {
            return nil
        }
        let read = sections.indices.filter { sections[$0].map { longest.runs(as: $0.box) } ?? false }
        let places = read.compactMap { sections[$0]?.box.topLeft }
        let isForwards = zip(places, places.dropFirst()).allSatisfy { longest.distance(from: $0, to: $1) >= 0 }
        var joined: (line: TextLine, index: Int)?
        for index in isForwards ? read : read.reversed() {
            guard let next = sections[index] else { continue }
            let isNeighbour = joined.map { abs($0.index - index) == 1 } ?? false
            let withinWord = isNeighbour && !endsWord[isForwards ? index - 1 : index]
            joined = (joined?.line.joined(with: next, withinWord: withinWord) ?? next, index)
        }
        guard let joined else { return nil }
        self = joined.line
    }

    /// The line and another that goes on where it ends, as one.
    ///
    /// - Parameters:
    ///   - next: The other one.
    ///   - withinWord: Whether its first word goes on with the last one of this.
    /// - Returns: The two as one line.
    package func joined(with next: TextLine, withinWord: Bool = false) -> TextLine {
        let mean = LetterMean(self.text, next.text)
        var line = self
        if withinWord, let last = self.words.last, let first = next.words.first {
            line.words = self.words.dropLast() + [last.joined(with: first)] + next.words.dropFirst()
        } else {
            line.words = self.words + next.words
        }
        line.text = Self.text(of: line.words)
        line.confidence = mean(self.confidence, next.confidence)
        line.box = self.box.extended(to: next.box)
        line.script = Script.most(of: line.text)?.rawValue
        line.candidates = self.candidates(beside: next, of: line, separator: withinWord ? "" : " ")
        if let scores = self.scores, let others = next.scores {
            line.scores = Scores(
                detection: mean(scores.detection, others.detection),
                recognition: scores.recognition.flatMap { score in others.recognition.map { mean(score, $0) } }
            )
        }
        return line
    }

    /// What words say together; nothing where they were not read.
    package static func text(of words: [TextWord]) -> String {
        words.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The readings of a line that was joined, in which no more than one of its pieces is read otherwise than best.
    private func candidates(beside next: TextLine, of line: TextLine, separator: String) -> [TextCandidate] {
        guard !self.candidates.isEmpty, !next.candidates.isEmpty else { return [] }
        let others =
            self.candidates.dropFirst().map { ($0.text + separator + next.text, $0.confidence) }
            + next.candidates.dropFirst().map { (self.text + separator + $0.text, $0.confidence) }
        let count = max(self.candidates.count, next.candidates.count) - 1
        let told = others.map { TextCandidate(text: $0, confidence: min($1, line.confidence)) }
        return [TextCandidate(text: line.text, confidence: line.confidence)]
            + told.sorted { $0.confidence > $1.confidence }.prefix(count)
    }
}

extension TextWord {
    /// The word and the rest of it, as one.
    fileprivate func joined(with rest: TextWord) -> TextWord {
        var word = self
        word.text += rest.text
        word.confidence = LetterMean(self.text, rest.text)(self.confidence, rest.confidence)
        word.box = self.box.extended(to: rest.box)
        word.characters += rest.characters
        return word
    }
}

/// The mean of what two texts have, each of their letters counting as much; two that were not read count alike.
private struct LetterMean {
    private let letters: (Float, Float)

    init(_ text: String, _ other: String) {
        self.letters = (Float(max(1, text.count)), Float(max(1, other.count)))
    }

    func callAsFunction(_ value: Float, _ other: Float) -> Float {
        (value * self.letters.0 + other * self.letters.1) / (self.letters.0 + self.letters.1)
    }
}

extension Quad {
    /// How much farther along the text one place lies than another, in squares of pixels.
    fileprivate func distance(from start: Point, to end: Point) -> Float {
        let (dx, dy) = (self.topRight.x - self.topLeft.x, self.topRight.y - self.topLeft.y)
        return (end.x - start.x) * dx + (end.y - start.y) * dy
    }

    /// Whether the text of another place runs in the same direction.
    fileprivate func runs(as other: Quad) -> Bool { self.distance(from: other.topLeft, to: other.topRight) >= 0 }
}
