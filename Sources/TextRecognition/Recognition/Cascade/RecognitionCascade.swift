internal import TextModel

/// Recognition cascade: a slower and more accurate recognizer reads again what the first one rejects.
///
/// Takes the first ``RecognizedLine`` and gives ranges of its columns, in pixels of the rectified line.
struct RecognitionCascade {
    /// Slower and more accurate recognizer.
    let recognizer: LineRecognizer
    /// Policy that rejects first readings.
    let policy: RejectionPolicy

    /// Found on scenes, forms and receipts (accuracy log, *Cascade on single characters and parts of long lines*).
    private enum Tuning {
        /// Confidence below which a line is no text to any recognizer; other bounds were not measured.
        static let hopeless: Float = 0.2
        /// Widest line that is read again as a whole, for the context that a word gives the network.
        ///
        /// Rejected words alone of shorter lines lose 0.01 on scenes and 0.001 to 0.002 on forms and receipts.
        static let maxWholeWidth = 320
        /// Least width of a span, which takes in neighbouring words until it is as wide; other widths were not measured.
        static let minSpanWidth: Float = 176
        /// Share of a line's width in rejected spans beyond which all of it is read again; not measured.
        static let maxSpanShare: Float = 0.7
    }

    /// Whether a first reading is rejected.
    func rejects(_ line: RecognizedLine) -> Bool {
        guard line.confidence >= Tuning.hopeless else { return false }
        return !self.isConfident(line) || line.characters.indices.contains { self.rejects($0, of: line) }
    }

    /// Whether a rejected reading can confirm a text that is expected.
    ///
    /// It is confident as a whole, and no character may be missing.
    func canConfirm(_ line: RecognizedLine) -> Bool {
        self.isConfident(line) && !line.characters.contains(where: \.isBesideNearMiss)
    }

    /// Whether a first reading is confident as a whole, though words of it may be rejected.
    private func isConfident(_ line: RecognizedLine) -> Bool { line.confidence >= self.policy.minLineConfidence }

    /// Returns the number of words with a rejected character.
    func rejectedWords(of line: RecognizedLine) -> Int { self.rejectedWords(of: line, Self.cuts(line)).count }

    /// Returns the spans of a rejected line that are read again, in columns of the rectified line.
    ///
    /// Of a long line those are its rejected words with their neighbours. All of it is read again where the line as a whole is
    /// rejected, where the second alphabet cannot write its first reading, or where the client asks for candidates or custom
    /// words, which need a whole reading.
    func rejectedSpans(of line: RecognizedLine, _ options: ReadingOptions) -> [Range<Float>] {
        let needsWhole = options.wantsCandidates || !options.customWords.isEmpty
        guard line.width > Tuning.maxWholeWidth, self.isConfident(line), !needsWhole,
            line.isWritable(in: self.recognizer.alphabet)
        else { return [line.span] }
        let cuts = Self.cuts(line)
        var runs: [Range<Int>] = []
        for word in self.rejectedWords(of: line, cuts) {
            var run = Self.widened(word, cuts)
            // Runs that touch or overlap become one.
            while let last = runs.last, last.upperBound >= run.lowerBound {
                run = min(last.lowerBound, run.lowerBound)..<max(last.upperBound, run.upperBound)
                runs.removeLast()
            }
            runs.append(run)
        }
        let spans = runs.map { cuts[$0.lowerBound]..<cuts[$0.upperBound] }
        let sum = spans.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        return sum > Tuning.maxSpanShare * line.span.upperBound ? [line.span] : spans
    }

    /// Returns the boundaries of a line's words: its ends and the centres of its spaces.
    private static func cuts(_ line: RecognizedLine) -> [Float] {
        let spaces = line.characters.filter { line.alphabet.isSpace($0.label) }.map(\.centre)
        return [0] + spaces + [line.span.upperBound]
    }

    private func rejectedWords(of line: RecognizedLine, _ cuts: [Float]) -> [Int] {
        (0..<cuts.count - 1).filter { word in
            line.characters.indices.contains { index in
                let centre = line.characters[index].centre
                return centre > cuts[word] && centre < cuts[word + 1] && self.rejects(index, of: line)
            }
        }
    }

    private func rejects(_ index: Int, of line: RecognizedLine) -> Bool {
        let character = line.characters[index]
        guard !line.alphabet.isSpace(character.label) else { return false }
        return character.isBesideNearMiss || character.confidence < self.policy.minCharacterConfidence
            || character.confidence < self.policy.minLoneConfidence && line.isLoneLetter(index)
    }

    /// Returns a word widened by its nearest neighbours to the least width of a span.
    private static func widened(_ word: Int, _ cuts: [Float]) -> Range<Int> {
        let centre = (cuts[word] + cuts[word + 1]) / 2
        var (start, end) = (word, word + 1)
        while cuts[end] - cuts[start] < Tuning.minSpanWidth, start > 0 || end < cuts.count - 1 {
            let before = start > 0 ? centre - cuts[start - 1] : .infinity
            let behind = end < cuts.count - 1 ? cuts[end + 1] - centre : .infinity
            if before < behind { start -= 1 } else { end += 1 }
        }
        return start..<end
    }
}
