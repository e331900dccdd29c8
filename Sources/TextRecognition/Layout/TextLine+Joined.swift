package import TextModel

extension TextLine {
    /// Joins the sections of a long line; `nil` if none has text.
    ///
    /// A section that stands on its head beside the longest one is a misreading and is dropped. One in a script that runs the other way
    /// is not.
    ///
    /// - Parameter sections: The sections from one end to the other.
    init?(joining sections: [ReadSection]) {
        guard let longest = sections.compactMap(\.line).max(by: { $0.box.width < $1.box.width })?.box else {
            return nil
        }
        let read = sections.indices.filter { sections[$0].line.map { longest.stands(as: $0.box) } ?? false }
        let centres = read.compactMap { sections[$0].line?.box.centre }
        // Sections are in the order of the detected box, against which the text may run.
        let isForwards = zip(centres, centres.dropFirst()).allSatisfy { longest.distance(from: $0, to: $1) >= 0 }
        var joined: (line: TextLine, index: Int)?
        for index in isForwards ? read : read.reversed() {
            guard var next = sections[index].line else { continue }
            let isNeighbour = joined.map { abs($0.index - index) == 1 } ?? false
            let runsBack = !longest.runs(as: next.box)
            if runsBack { next.box = next.box.mirrored }
            let withinWord = isNeighbour && !runsBack && !sections[isForwards ? index - 1 : index].endsWord
            joined = (joined?.line.joined(with: next, withinWord: withinWord) ?? next, index)
        }
        guard let joined else { return nil }
        self = joined.line
    }

    /// Returns the line and its continuation as one line.
    ///
    /// - Parameters:
    ///   - next: The line that begins where this one ends.
    ///   - withinWord: Whether its first word continues the last one of this.
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
        // A line of which a part is read is a line that was read.
        line.reason = self.reason == nil || next.reason == nil ? nil : self.reason
        line.script = line.reason == nil ? Script.most(of: line.text)?.rawValue : self.script
        line.candidates = self.candidates(beside: next, of: line, separator: withinWord ? "" : " ")
        if let scores = self.scores, let others = next.scores {
            line.scores = Scores(
                detection: mean(scores.detection, others.detection),
                recognition: scores.recognition.flatMap { score in others.recognition.map { mean(score, $0) } }
            )
        }
        return line
    }

    /// Returns the texts of words, separated by spaces; unread words are empty.
    package static func text(of words: [TextWord]) -> String {
        words.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the candidates of a joined line, each with another candidate of at most one of its two parts.
    private func candidates(beside next: TextLine, of line: TextLine, separator: String) -> [TextCandidate] {
        guard !self.candidates.isEmpty, !next.candidates.isEmpty else { return [] }
        let others =
            self.candidates.dropFirst().map { ($0.text + separator + next.text, $0.confidence) }
            + next.candidates.dropFirst().map { (self.text + separator + $0.text, $0.confidence) }
        let count = max(self.candidates.count, next.candidates.count) - 1
        let alternatives = others.map { TextCandidate(text: $0, confidence: min($1, line.confidence)) }
        return [TextCandidate(text: line.text, confidence: line.confidence)]
            + alternatives.sorted { $0.confidence > $1.confidence }.prefix(count)
    }
}

extension TextWord {
    /// Returns the word and its continuation as one word.
    fileprivate func joined(with rest: TextWord) -> TextWord {
        var word = self
        word.text += rest.text
        word.confidence = LetterMean(self.text, rest.text)(self.confidence, rest.confidence)
        word.box = self.box.extended(to: rest.box)
        word.characters += rest.characters
        return word
    }
}

/// Mean of values of two texts, weighted by their number of characters; an empty text counts as one.
private struct LetterMean {
    private let weights: (Float, Float)

    init(_ text: String, _ other: String) {
        self.weights = (Float(max(1, text.count)), Float(max(1, other.count)))
    }

    func callAsFunction(_ value: Float, _ other: Float) -> Float {
        (value * self.weights.0 + other * self.weights.1) / (self.weights.0 + self.weights.1)
    }
}

extension Quad {
    /// Returns the distance from one point to another along the text, times the text's length.
    fileprivate func distance(from start: Point, to end: Point) -> Float {
        let (dx, dy) = (self.topRight.x - self.topLeft.x, self.topRight.y - self.topLeft.y)
        return (end.x - start.x) * dx + (end.y - start.y) * dy
    }

    /// Returns whether the text of another quad runs in the same direction.
    fileprivate func runs(as other: Quad) -> Bool { self.distance(from: other.topLeft, to: other.topRight) >= 0 }

    /// Returns whether the letters of another quad stand upright where those of this one do.
    fileprivate func stands(as other: Quad) -> Bool {
        let (dx, dy) = (self.bottomLeft.x - self.topLeft.x, self.bottomLeft.y - self.topLeft.y)
        return (other.bottomLeft.x - other.topLeft.x) * dx + (other.bottomLeft.y - other.topLeft.y) * dy >= 0
    }
}
