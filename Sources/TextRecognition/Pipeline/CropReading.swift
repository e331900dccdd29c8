internal import TextModel

/// Reading of a crop in a language.
struct CropReading {
    private enum Tuning {
        /// What words that a language's dictionary has add to the confidence of a reading, if all are.
        ///
        /// Found on phrases in six languages (accuracy log, *Dictionaries of one script's languages*).
        static let dictionaryWeight: Float = 0.2
        /// Least length of a word that counts for its language: shorter ones are words of several (accuracy log, *Dictionaries
        /// of one script's languages*).
        static let minDictionaryWord = 3
    }

    var reading: ScriptReading
    let language: String
    let crop: LineCrop
    /// Whether its brightest tone alone was shown.
    let isToned: Bool

    var confidence: Float { self.reading.confidence }

    /// Returns what the networks read of the same line, in the columns of this crop.
    func letters(of line: RecognizedLine) -> [LocatedLetter] {
        line.spacedCharacters.map(\.character).map { letter in
            LocatedLetter(
                text: line.alphabet.characters[letter.label],
                confidence: letter.confidence,
                centre: self.crop.column(of: line.map(letter.centre, Float(LineSize.height) / 2))
            )
        }
    }

    /// Evidence that the line is in the language: the confidence, and more where the dictionary has its words.
    ///
    /// A language reads others of its script with nearly the confidence of its own, but as words that do not exist.
    var languageEvidence: Float { self.confidence + Tuning.dictionaryWeight * self.dictionaryShare }

    /// Share of the characters that are in words of the dictionary.
    var dictionaryShare: Float {
        let known = self.reading.words.filter {
            $0.isInDictionary && $0.characters.count >= Tuning.minDictionaryWord
        }
        let counts = [self.reading.words, known].map { $0.reduce(0) { $0 + $1.characters.count } }
        return Float(counts[1]) / Float(max(1, counts[0]))
    }
}
