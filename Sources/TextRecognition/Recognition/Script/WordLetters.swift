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
    func replace(
        _ read: some Collection<String>,
        by letters: some Collection<ScriptReading.Character>,
        under policy: DiacriticsPolicy
    ) -> Bool {
        let texts = letters.map(\.text)
        guard !policy.isSure || texts.count > read.count else { return false }
        guard texts.count - read.count <= max(1, Int(Tuning.maxOmittedShare * Float(texts.count))) else { return false }
        let distance = Self.distance(from: Array(read), to: texts, under: policy)
        guard distance > 0 else { return self.confidence >= Tuning.minConfidence || self.isInDictionary }
        return policy.replacesLetters && self.isInDictionary && self.confidence >= Tuning.minOtherConfidence
            && distance <= max(1, Int(Tuning.maxOtherShare * Float(texts.count)))
    }

    /// Edit distance from what the networks read, where letters with diacritics may also be read without them, or be omitted.
    private static func distance(from read: [String], to letters: [String], under policy: DiacriticsPolicy) -> Int {
        let read = read.map { Letter($0, stays: !policy.replacesMarks(of: $0)) }
        let letters = letters.map { Letter($0) }
        // More than any word may differ by: a letter that stays is not replaced.
        let edits = read.map { $0.stays ? letters.count + 1 : 1 }
        var row = edits.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        for letter in letters {
            let omission = letter.isPlain ? 1 : 0
            var diagonal = row[0]
            row[0] += omission
            for (index, other) in read.enumerated() {
                let substituted = diagonal + (letter.isVariant(of: other) ? 0 : edits[index])
                diagonal = row[index + 1]
                row[index + 1] = min(substituted, row[index] + edits[index], diagonal + omission)
            }
        }
        return row[read.count]
    }
}

/// Letter of one of two readings that are compared.
private struct Letter {
    /// Its small letter.
    let small: String
    /// Its small letter without marks.
    let base: String
    /// Whether it is none beyond a to z.
    let isPlain: Bool
    /// Whether no other one may take its place.
    let stays: Bool

    init(_ text: String, stays: Bool = false) {
        self.stays = stays
        self.small = text.lowercased()
        self.base = text.foldedToBaseLetters
        self.isPlain = !text.unicodeScalars.contains { !$0.isASCII && $0.properties.isAlphabetic }
    }

    /// Whether the networks may have read it as another one: of the same base, or any if it is formed of none of a to z.
    func isVariant(of read: Letter) -> Bool {
        guard !read.stays else { return self.small == read.small }
        return self.base == read.base || self.base.unicodeScalars.allSatisfy { !$0.isASCII && $0.properties.isCased }
    }
}
