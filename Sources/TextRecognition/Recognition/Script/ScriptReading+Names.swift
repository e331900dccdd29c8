internal import TextModel

/// Character that the networks read, with its centre in the columns of a script reader's line.
struct LocatedLetter {
    let text: String
    let confidence: Float
    let centre: Float
}

/// Names in Latin script that the networks read beside the other words of a line.
extension ScriptReading {
    /// Returns the reading with what the networks read in the place of words that are probably in Latin script.
    ///
    /// - Parameter letters: What the networks read, from the left to the right, without spaces.
    /// - Returns: The reading.
    func withNames(of letters: [LocatedLetter]) -> ScriptReading {
        ScriptReading(words: self.words.map { $0.name(of: letters) ?? $0 })
    }
}

extension ScriptReading.Word {
    private enum Tuning {
        /// Confidence up to which a word may be a name in Latin script, with which no line would be reported: 14 of 17 have at most 0.45
        /// (accuracy log, *Short, mixed and outlined lines in other scripts*).
        static let maxConfidence: Float = 0.69
        /// Mean confidence that the networks have of its characters (accuracy log, *Short, mixed and outlined lines in other
        /// scripts*).
        static let minConfidence: Float = 0.85
        /// Least number of characters; chosen by hand.
        static let minLength = 3
    }

    /// The word as the networks read it; `nil` unless they are certain of letters in Latin script, and the reader is not of its own.
    fileprivate func name(of letters: [LocatedLetter]) -> ScriptReading.Word? {
        guard !self.isInDictionary, self.confidence <= Tuning.maxConfidence,
            let left = self.characters.map(\.columns.lowerBound).min(),
            let right = self.characters.map(\.columns.upperBound).max()
        else { return nil }
        let own = letters.filter { left < $0.centre && $0.centre < right }
        let confidence = own.reduce(0) { $0 + $1.confidence } / Float(max(1, own.count))
        guard own.count >= Tuning.minLength, confidence >= Tuning.minConfidence,
            Script.most(of: own.map(\.text).joined()) == .latin
        else { return nil }
        let bounds = [left] + zip(own, own.dropFirst()).map { ($0.centre + $1.centre) / 2 } + [right]
        return ScriptReading.Word(
            characters: zip(own, zip(bounds, bounds.dropFirst())).map { letter, columns in
                ScriptReading.Character(
                    text: letter.text,
                    confidence: letter.confidence,
                    columns: columns.0..<columns.1
                )
            },
            confidence: confidence
        )
    }
}
