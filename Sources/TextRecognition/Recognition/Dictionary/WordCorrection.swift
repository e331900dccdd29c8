/// Word of a dictionary that probably stands where a line has none.
struct WordCorrection {
    /// Indices of the characters that it replaces.
    let range: Range<Int>
    /// Characters of the word.
    let characters: [CTCCharacter]
}

extension RecognizedLine {
    /// The line with its corrected words, and their confidence.
    var corrected: RecognizedLine {
        guard !self.corrections.isEmpty else { return self }
        var line = self
        line.corrections = []
        // From the end, so that the indices of those before stay.
        for correction in self.corrections.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            var characters = correction.characters
            characters[0].missedSpace = self.characters[correction.range.lowerBound].missedSpace
            line.characters.replaceSubrange(correction.range, with: characters)
        }
        line.confidence = line.characters.meanConfidence
        return line
    }
}
