internal import TextModel

/// Constraints of a decoder by a client's options.
struct DecoderConstraints: Sendable {
    /// The options that they follow from.
    struct Key: Hashable, Sendable {
        private let languages: [String]
        private let characters: AllowedCharacters?
        private let words: [String]

        init(_ options: ReadingOptions) {
            self.languages = options.languages
            self.characters = options.allowedCharacters
            self.words = options.customWords
        }
    }

    /// Classes that may be decoded; `nil` for all of the restricted or whole alphabet.
    let allowed: ClassMask?
    /// Restriction to allowed characters, which are those of the languages alone; `nil` for none.
    let restriction: CharacterRestriction?
    /// Words that are expected; `nil` for none.
    let lexicon: Lexicon?

    /// Creates the constraints of a recognizer with some alphabet.
    init(_ options: ReadingOptions, of alphabet: Alphabet) {
        let languages = options.languages.compactMap { Language($0) }
        let mask = languages.isEmpty ? nil : ClassMask(languages, in: alphabet)
        let restriction = options.allowedCharacters.map { CharacterRestriction($0, mask: mask, of: alphabet) }
        let allowed = restriction == nil ? mask : nil
        self.restriction = restriction
        self.allowed = allowed
        self.lexicon =
            options.customWords.isEmpty
            ? nil : Lexicon(options.customWords, in: restriction?.alphabet ?? alphabet, allowed: allowed)
    }
}
