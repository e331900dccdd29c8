/// Letters that a ``ScriptReader`` reads in the place of a word of the networks, which misread letters with diacritics.
struct WordLetters {
    private enum Tuning {
        /// Least confidence of letters that differ from those of the networks in diacritics alone, if no dictionary has the word.
        ///
        /// With 0.7 as many words are right, and more words in English are taken for others (accuracy log, *Diacritics by Tesseract*).
        static let minConfidence: Float = 0.85
        /// Least confidence of a word of the dictionary in which other letters differ, too.
        ///
        /// With 0.7 as many words are right (accuracy log, *Diacritics by Tesseract*).
        static let minOtherConfidence: Float = 0.85
        /// Largest share of the letters that differ in such a word, of which one always may; chosen by hand.
        static let maxOtherShare: Float = 0.25
        /// Largest share of letters that the networks may have omitted, of which one always may be; chosen by hand.
        static let maxOmittedShare: Float = 0.34
    }

    /// Characters, in reading order.
    private(set) var characters: [ScriptReading.Character] = []
    /// Least confidence of the words that they are of.
    private var confidence: Float = 1
    /// Whether the dictionary of the language has all of these words.
    private var isInDictionary = true

    /// Adds the characters of a word; without one, they are a part of a word, which no dictionary has.
    mutating func add(_ characters: [ScriptReading.Character], of word: ScriptReading.Word? = nil) {
        self.characters += characters
        self.confidence = min(self.confidence, word?.confidence ?? characters.map(\.confidence).min() ?? 0)
        self.isInDictionary = self.isInDictionary && word?.isInDictionary == true
    }

    /// Whether letters among its characters count instead of those that the networks read.
    ///
    /// They do if they differ in diacritics alone, or if a dictionary has them and few others differ.
    func replace(_ read: some Collection<String>, by letters: some Collection<ScriptReading.Character>) -> Bool {
        let texts = letters.map(\.text)
        guard texts.count - read.count <= max(1, Int(Tuning.maxOmittedShare * Float(texts.count))) else { return false }
        let distance = Self.distance(from: Array(read), to: texts)
        guard distance > 0 else { return self.confidence >= Tuning.minConfidence || self.isInDictionary }
        return self.isInDictionary && self.confidence >= Tuning.minOtherConfidence
            && distance <= max(1, Int(Tuning.maxOtherShare * Float(texts.count)))
    }

    /// Edit distance from what the networks read, where letters with diacritics may also be read without them, or be omitted.
    private static func distance(from read: [String], to letters: [String]) -> Int {
        let (bases, letterBases) = (read.map(Self.base), letters.map(Self.base))
        var row = Array(0...bases.count)
        for (letter, base) in zip(letters, letterBases) {
            let isPlain = !letter.unicodeScalars.contains { !$0.isASCII && $0.properties.isAlphabetic }
            var diagonal = row[0]
            row[0] += isPlain ? 1 : 0
            for (index, other) in bases.enumerated() {
                let substituted = diagonal + (Self.isVariant(base, of: other) ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(substituted, row[index] + 1, diagonal + (isPlain ? 1 : 0))
            }
        }
        return row[bases.count]
    }

    /// Whether the networks may have read a letter as another one: of the same base, or any if it is formed of none of a to z.
    private static func isVariant(_ base: String, of other: String) -> Bool {
        base == other || base.unicodeScalars.allSatisfy { !$0.isASCII && $0.properties.isCased }
    }

    /// Lower-case letters of a to z that a text is formed of, with other characters as they are.
    private static func base(of text: String) -> String {
        // The small letter of İ is i with a dot above.
        text.unicodeScalars.map { $0.baseLetter ?? String($0) }.joined().lowercased()
    }
}
