internal import TextModel

/// What of a line is read again, and by what.
struct RecognitionCascade {
    /// The slower and better recogniser.
    let recognizer: LineRecognizer
    /// What it reads again.
    let doubt: RejectionPolicy

    /// What a first reading is less sure of is no text to any recogniser.
    private static let hopeless: Float = 0.2
    /// Lines no wider than this, in pixels of the straightened line, are read again as a whole: what stands beside a word
    /// tells a network much about it.
    private static let mostWhole = 320
    /// A part of a line reaches over its neighbours until it is as wide as this.
    private static let leastPart: Float = 176
    /// Where parts make up so much of a line, all of it is read again.
    private static let mostParts: Float = 0.7

    /// Whether a first reading is worth a second.
    func rejects(_ line: RecognizedLine) -> Bool {
        guard line.confidence >= Self.hopeless else { return false }
        return line.confidence < self.doubt.line || line.characters.contains { self.rejects($0, of: line) }
    }

    /// How many words of a line hold a character that is doubted.
    func rejectedWords(of line: RecognizedLine) -> Int { self.rejectedWords(of: line, Self.cuts(line)).count }

    /// The parts of a doubtful line that are read again, in columns of the straightened line.
    ///
    /// Of a long line those are its doubtful words and what stands around them; all of it where it is doubted as a whole, where
    /// its first reading cannot be said in the characters of the second recogniser, or where a client asks for what only a
    /// whole reading has.
    func parts(of line: RecognizedLine, _ options: ReadingOptions) -> [Range<Float>] {
        let isAsked = options.candidates > 1 || !options.customWords.isEmpty
        guard line.width > Self.mostWhole, line.confidence >= self.doubt.line, !isAsked,
            line.isWritable(in: self.recognizer.alphabet)
        else { return [line.span] }
        let cuts = Self.cuts(line)
        var parts: [Range<Int>] = []
        for word in self.rejectedWords(of: line, cuts) {
            var part = Self.widened(word, cuts)
            while let last = parts.last, last.upperBound >= part.lowerBound {
                part = min(last.lowerBound, part.lowerBound)..<max(last.upperBound, part.upperBound)
                parts.removeLast()
            }
            parts.append(part)
        }
        let columns = parts.map { cuts[$0.lowerBound]..<cuts[$0.upperBound] }
        let sum = columns.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        return sum > Self.mostParts * line.span.upperBound ? [line.span] : columns
    }

    /// Where a line's words begin and end: its ends and the middles of its spaces.
    private static func cuts(_ line: RecognizedLine) -> [Float] {
        let spaces = line.characters.filter { line.alphabet.isSpace($0.label) }.map(\.centre)
        return [0] + spaces + [line.span.upperBound]
    }

    private func rejectedWords(of line: RecognizedLine, _ cuts: [Float]) -> [Int] {
        (0..<cuts.count - 1).filter { word in
            line.characters.contains {
                $0.centre > cuts[word] && $0.centre < cuts[word + 1] && self.rejects($0, of: line)
            }
        }
    }

    private func rejects(_ character: CTCCharacter, of line: RecognizedLine) -> Bool {
        (character.isBesideNearMiss || character.confidence < self.doubt.character)
            && !line.alphabet.isSpace(character.label)
    }

    /// A word and its nearest neighbours, until they are wide enough together.
    private static func widened(_ word: Int, _ cuts: [Float]) -> Range<Int> {
        let centre = (cuts[word] + cuts[word + 1]) / 2
        var (start, end) = (word, word + 1)
        while cuts[end] - cuts[start] < Self.leastPart, start > 0 || end < cuts.count - 1 {
            let before = start > 0 ? centre - cuts[start - 1] : .infinity
            let behind = end < cuts.count - 1 ? cuts[end + 1] - centre : .infinity
            if before < behind { start -= 1 } else { end += 1 }
        }
        return start..<end
    }
}
