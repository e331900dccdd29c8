/// Signs that stand by themselves among words: notes, telephones, check marks, arrows.
extension LineCharacters {
    /// The confidence below which a letter beside words is taken for a sign that the recognizer does not know: that one of the
    /// letters is there that look alike, such as 0 and O.
    ///
    /// Of 32 less sure letters and digits by themselves in street scenes, forms, graphics and pages, at both levels, 3 were
    /// right. Letters typeset before and behind words had at least 0.75 at `fast` and 0.92 at `accurate`.
    private static let minLetterConfidence: Float = 0.7
    /// The same of an ideograph in a line that has no other.
    ///
    /// Of telephones, suns and letters typeset before and behind words, `fast` made ideographs with up to 0.96.
    private static let minIdeographConfidence: Float = 0.97

    /// Letters, ideographs and digits by themselves that are probably no such thing, in a line that is mostly longer words.
    func unknownSigns(_ alphabet: Alphabet) -> [Int] {
        let lone = self.words.filter { $0.count == 1 }.map(\.lowerBound)
        guard 2 * lone.count <= self.words.count + 1, lone.count < self.words.count else { return [] }
        return lone.filter { index in
            let character = self.characters[index].recognized
            guard alphabet.isLetter(character.label) else { return false }
            let isStray =
                self.isIdeograph(index, alphabet)
                && !self.characters.indices.contains { $0 != index && self.isIdeograph($0, alphabet) }
            return isStray
                ? character.confidence < Self.minIdeographConfidence
                : character.jointConfidence < Self.minLetterConfidence
        }
    }

    private func isIdeograph(_ index: Int, _ alphabet: Alphabet) -> Bool {
        alphabet.characters[self.characters[index].recognized.label].unicodeScalars.first?.properties.isIdeographic
            ?? false
    }

    /// Takes a radical sign for a check mark where nothing stands below its bar.
    mutating func readCheckMarks(_ alphabet: Alphabet) {
        guard let check = alphabet.label(of: "✓") else { return }
        for word in self.words where word.count == 1 {
            if alphabet.characters[self.characters[word.lowerBound].recognized.label] == "√" {
                self.recognized[word.lowerBound].label = check
            }
        }
    }
}
