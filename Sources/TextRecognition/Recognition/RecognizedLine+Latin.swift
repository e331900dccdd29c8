/// Evidence by words that a line is in Latin script.
extension RecognizedLine {
    /// Widest gap between characters that has no room for a word in another script; chosen by hand.
    private static let maxGap = Float(LineSize.height) * 3 / 2

    /// Whether a line is digits, or words of a dictionary beside which words of one or two letters may stand.
    ///
    /// Letters that all look like Cyrillic or Greek ones prove nothing, since *KACCA* may be meant in either.
    ///
    /// - Parameters:
    ///   - dictionary: The words, in the line's alphabet.
    ///   - isMixed: Whether words of another script may stand beside what is read; digits, or a gap with room for one, then
    ///     prove nothing.
    /// - Returns: Whether it is.
    func isLatin(by dictionary: WordDictionary, isMixed: Bool) -> Bool {
        let words = self.characters.split { self.alphabet.isSpace($0.label) }.map { word in
            word.map(\.label).filter { self.alphabet.isLetter($0) && !self.alphabet.isDigit($0) }
        }
        guard words.contains(where: { !$0.isEmpty }) else { return !isMixed }
        let long = words.filter { $0.count >= WordDictionary.lengths.lowerBound }
        return !long.isEmpty && long.allSatisfy(dictionary.contains) && !Homoglyphs.areAll(lettersOf: self.text)
            && !(isMixed && self.hasWideGap)
    }

    /// Whether a word may be missing between the characters, or at an end.
    private var hasWideGap: Bool {
        let centres = self.characters.filter { !self.alphabet.isSpace($0.label) }.map(\.centre)
        return zip([0] + centres, centres + [Float(self.width)]).contains { $1 - $0 > Self.maxGap }
    }
}
