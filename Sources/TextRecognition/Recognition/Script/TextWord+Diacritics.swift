internal import TextModel

extension TextWord {
    /// Signs as which the networks read a caron beside its letter: *lod\'* for *loď*.
    private static let apostrophes: Set<String> = ["'", "’", "‘", "`", "´"]

    /// Letters whose caron is drawn beside them, like an apostrophe.
    private static let lettersWithCarons: Set<String> = ["ď", "ť", "ľ", "Ľ"]

    /// Takes the letters with diacritics that another reader reads in the same word.
    ///
    /// The word stays as it is if its letters differ in more than diacritics, unless a dictionary proves the other ones. Signs around
    /// the letters are kept.
    ///
    /// - Parameters:
    ///   - letters: What the other reader reads.
    ///   - columns: The columns of the word's ends.
    ///   - policy: What the word may take.
    mutating func takeDiacritics(
        of letters: WordLetters,
        columns: (first: Float, last: Float),
        under policy: DiacriticsPolicy = DiacriticsPolicy()
    ) {
        var word = self
        var tokens = self.characters.isEmpty ? self.text.map(String.init) : self.characters.map(\.text)
        guard let others = Self.core(of: letters.characters.map(\.text)), var core = Self.core(of: tokens) else {
            return
        }
        let read = letters.characters[others]
        // Quotes behind the letters are read as apostrophes, too.
        if !letters.characters[others.lowerBound...].contains(where: { Self.apostrophes.contains($0.text) }) {
            let carons = Self.carons(from: core, in: tokens, amongLettersOf: read)
            core = word.mergeApostrophes(carons, in: core, of: &tokens)
        }
        guard letters.replace(tokens[core], by: read, under: policy) else { return }
        if core.count == read.count {
            for (index, letter) in zip(core, read) { tokens[index] = letter.text.inCase(of: tokens[index]) }
        } else {
            // A single capital may begin a word.
            let areCapitals = core.count > 1 && !tokens[core].contains { $0.contains(where: \.isLowercase) }
            tokens.replaceSubrange(core, with: read.map { areCapitals ? $0.text.uppercased() : $0.text })
            word.replaceCharacters(core, with: read, columns: columns)
        }
        for index in word.characters.indices { word.characters[index].text = tokens[index] }
        word.text = tokens.joined()
        self = word
    }

    /// Places of apostrophes within and behind some letters which are carons, as another reader has a diacritic there.
    private static func carons(
        from core: Range<Int>,
        in tokens: [String],
        amongLettersOf read: ArraySlice<ScriptReading.Character>
    ) -> [Int] {
        let behind = tokens[core.upperBound...].prefix(while: Self.apostrophes.contains).count
        var count = 0
        return (core.lowerBound..<core.upperBound + behind).filter { index in
            guard Self.apostrophes.contains(tokens[index]) else {
                count += 1
                return false
            }
            let letter = read.dropFirst(count - 1).first
            return letter.map { Self.lettersWithCarons.contains($0.text) } ?? false
        }
    }

    /// Merges apostrophes with the letters before them; returns the range of letters then.
    private mutating func mergeApostrophes(
        _ places: [Int],
        in core: Range<Int>,
        of tokens: inout [String]
    ) -> Range<Int> {
        for index in places.reversed() {
            self.mergeCharacter(at: index)
            tokens.remove(at: index)
        }
        return core.lowerBound..<core.upperBound - places.count(where: core.contains)
    }

    /// Replaces some characters by those of another reader, which lie in their columns, as high as the word.
    private mutating func replaceCharacters(
        _ range: Range<Int>,
        with others: ArraySlice<ScriptReading.Character>,
        columns: (first: Float, last: Float)
    ) {
        guard !self.characters.isEmpty else { return }
        let box = self.box
        let width = max(columns.last - columns.first, .leastNormalMagnitude)
        func place(_ column: Float) -> (top: Point, bottom: Point) {
            let share = min(max((column - columns.first) / width, 0), 1)
            return (
                box.topLeft.interpolated(to: box.topRight, share),
                box.bottomLeft.interpolated(to: box.bottomRight, share)
            )
        }
        self.characters.replaceSubrange(
            range,
            with: others.map { other in
                let (start, end) = (place(other.columns.lowerBound), place(other.columns.upperBound))
                let box = Quad(
                    topLeft: start.top,
                    topRight: end.top,
                    bottomRight: end.bottom,
                    bottomLeft: start.bottom
                )
                return TextCharacter(text: other.text, confidence: other.confidence, box: box)
            }
        )
    }

    /// Places from the first letter to the last; `nil` without a letter.
    private static func core(of tokens: [String]) -> Range<Int>? {
        func isLetter(_ token: String) -> Bool { token.contains(where: \.isLetter) }
        guard let first = tokens.firstIndex(where: isLetter), let last = tokens.lastIndex(where: isLetter) else {
            return nil
        }
        return first..<last + 1
    }

    /// Merges a character with the one before it, whose text it keeps.
    private mutating func mergeCharacter(at index: Int) {
        guard self.characters.indices.contains(index), index > 0 else { return }
        let removed = self.characters.remove(at: index)
        let box = self.characters[index - 1].box
        self.characters[index - 1].box = Quad(
            topLeft: box.topLeft,
            topRight: removed.box.topRight,
            bottomRight: removed.box.bottomRight,
            bottomLeft: box.bottomLeft
        )
    }
}

extension String {
    /// The letter as a capital or a small letter, as another one is, whose place it takes; the other one if these differ in case alone.
    fileprivate func inCase(of other: String) -> String {
        // In Turkish and Azerbaijani, i and ı have capitals of their own.
        guard self.lowercased() != other.lowercased(), (self, other) != ("i", "İ"), (self, other) != ("I", "ı") else {
            return other
        }
        let recased = other.contains(where: \.isUppercase) ? self.uppercased() : self.lowercased()
        // The small letter of İ, and the capitals of some others, are two characters.
        return recased.unicodeScalars.count == self.unicodeScalars.count ? recased : self
    }
}
