internal import TextModel

/// What the dictionary of a reading's language says for its script.
///
/// Letters that look like those of another script make a word of the language by chance alone, and the shorter the more often.
extension ScriptReading {
    private enum Tuning {
        /// Least number of letters in words that prove a script, each with its marks; chosen by hand.
        static let minLetters = 3
        /// The same in Hangul, whose letters are syllables.
        static let minSyllables = 2
        /// The same where all letters look like those of another script: `TOP` and `HATO` are Russian words, too.
        static let minHomoglyphs = 5
        /// Least confidence of words that prove a script: of 5,210 lines in Latin script, 12 are words of a dictionary by a less confident
        /// reading, and none by such a one (accuracy log, *Short, mixed and outlined lines in other scripts*).
        static let minConfidence: Float = 0.85
        /// Least share of known words in the letters beside which one word proves a script: a name may be as long as the rest.
        static let minKnownShare: Float = 0.5
    }

    /// Whether all words are certain and in the dictionary, so that the script is proven.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - isExpected: Whether something else speaks for it, so that letters may look like those of another one.
    /// - Returns: Whether it is.
    func isProof(of script: Script, isExpected: Bool) -> Bool {
        let words = self.words.filter { $0.text.contains(where: \.isLetter) }
        guard self.confidence >= Tuning.minConfidence, words.allSatisfy(\.isInDictionary) else { return false }
        let count = words.reduce(0) { $0 + $1.letterCount }
        let areAlike = words.allSatisfy { Homoglyphs.areAll(lettersOf: $0.text) }
        return count >= (areAlike && !isExpected ? Tuning.minHomoglyphs : Self.minLetters(in: script))
    }

    /// Whether one word is certain, in the dictionary, and not of letters alone that look like those of another script, and words of
    /// the dictionary have most of the letters.
    func hasProof(of script: Script) -> Bool {
        let counts = [self.words, self.words.filter(\.isInDictionary)].map { $0.reduce(0) { $0 + $1.letterCount } }
        guard Float(counts[1]) >= Tuning.minKnownShare * Float(counts[0]) else { return false }
        return self.words.contains { word in
            word.isInDictionary && word.confidence >= Tuning.minConfidence
                && word.letterCount >= Self.minLetters(in: script) && Script.most(of: word.text) == script
                && !Homoglyphs.areAll(lettersOf: word.text)
        }
    }

    private static func minLetters(in script: Script) -> Int {
        script == .hangul ? Tuning.minSyllables : Tuning.minLetters
    }
}

extension ScriptReading.Word {
    /// The number of code points that are letters or vowel signs.
    fileprivate var letterCount: Int { self.text.unicodeScalars.count(where: \.properties.isAlphabetic) }
}
