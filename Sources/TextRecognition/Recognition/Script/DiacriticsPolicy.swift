/// What a word of the networks may take from the reader of its language.
struct DiacriticsPolicy {
    /// Whether letters may take the place of others, where the dictionary of the language has the word.
    var replacesLetters = true
    /// Language of the reader, if the line may be in another one; letters beyond a to z that it does not use then stay.
    ///
    /// The networks know the letters of German and French, which a reader of Czech does not.
    var uncertainLanguage: Language?
    /// Whether the networks are sure of each letter that they read, so that the word can only lack letters.
    var isSure = false

    /// Whether a letter that the networks read may have other marks.
    func replacesMarks(of letter: String) -> Bool {
        guard let language = self.uncertainLanguage else { return true }
        return letter.unicodeScalars.allSatisfy(language.uses)
    }
}
