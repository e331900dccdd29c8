internal import TextModel

/// Dictionary of words in Latin script, in the classes of an alphabet.
struct WordDictionary: Sendable {
    /// Languages of the words, as in `words.py`; Norwegian and Filipino have several codes.
    private static let languages: Set = [
        "af", "bs", "ca", "cs", "cy", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "hr", "hu",
        "id", "is", "it", "ku", "la", "lb", "lt", "lv", "mi", "ms", "mt", "nb", "nl", "nn", "no", "pl", "pt", "ro",
        "sk", "sl", "sq", "sr", "sv", "sw", "tl", "tr", "vi",
    ]

    /// Whether it has the words of the languages in Latin script that a client expects; also if it names none.
    ///
    /// In another language right words look misread: without their lists, it spoiled 5 % of the words in Latvian (accuracy
    /// log, *Words of more languages*).
    static func covers(_ options: ReadingOptions) -> Bool {
        // All languages but Filipino have codes of two letters; a hint such as `auto` is none.
        options.namedLanguages.map(\.primaryLanguageSubtag).filter { $0.count == 2 }.allSatisfy {
            Script(language: $0) != .latin || Self.languages.contains($0)
        }
    }

    /// Numbers of letters that words have, as in `words.py`.
    static let lengths = 3...12

    private enum Tuning {
        /// End of the code points of Latin letters: Basic Latin to Latin Extended-B.
        static let latinEnd: UInt32 = 0x250
    }

    /// Latin letter of a class.
    fileprivate struct Letter: Sendable {
        /// The small letter without diacritics, in UTF-8.
        let folded: [UInt8]
        let isCapital: Bool
    }

    private let filter: WordFilter
    /// Letter of each class; `nil` for classes that are none.
    private let letters: [Letter?]
    /// Classes of letters.
    let mask: ClassMask

    /// Creates the dictionary of the words in `filter`.
    init(_ filter: WordFilter, in alphabet: Alphabet) {
        let letters = alphabet.characters.map { Letter($0, end: Tuning.latinEnd) }
        self.filter = filter
        self.letters = letters
        self.mask = ClassMask(labels: letters.indices.filter { letters[$0] != nil })
    }

    /// Whether a class is a Latin letter.
    func isLetter(_ label: Int) -> Bool { self.letters[label] != nil }

    /// Whether a class is a Latin capital.
    func isCapital(_ label: Int) -> Bool { self.letters[label]?.isCapital == true }

    /// Whether two words differ in capitals and diacritics at most.
    func isSame(_ word: [Int], as other: [Int]) -> Bool {
        word.count == other.count
            && zip(word, other).allSatisfy {
                self.letters[$0] != nil && self.letters[$0]?.folded == self.letters[$1]?.folded
            }
    }

    /// Whether letters are a word in small letters, in capitals or with a capital first.
    func contains(_ word: [Int]) -> Bool {
        let capitals = word.count(where: self.isCapital)
        let isCapitalized = capitals == 1 && self.isCapital(word[0])
        return (capitals == 0 || capitals == word.count || isCapitalized) && self.containsInAnyCase(word)
    }

    /// Whether letters are a word, wherever its capitals are, as in iPhone.
    func containsInAnyCase(_ word: [Int]) -> Bool {
        guard Self.lengths.contains(word.count) else { return false }
        var hash = WordFilter.Hash()
        for label in word {
            guard let letter = self.letters[label] else { return false }
            letter.folded.forEach { hash.append($0) }
        }
        return self.filter.contains(hash)
    }
}

extension WordDictionary.Letter {
    /// Creates the letter of a character; `nil` unless it is one with a code point below `end`.
    fileprivate init?(_ character: String, end: UInt32) {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
            scalar.value < end, scalar.properties.isAlphabetic
        else { return nil }
        let folded = scalar.baseLetter ?? character
        self.folded = Array(folded.lowercased().utf8)
        self.isCapital = scalar.properties.isUppercase
    }
}
