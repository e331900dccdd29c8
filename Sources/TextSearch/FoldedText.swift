/// Line of text in the form in which it is compared with patterns of one ``Folding``.
///
/// Patterns match scalars of that form, of which a character may have more or fewer than in the text; matches are
/// whole characters of the text.
struct FoldedText {
    /// Character of the text: a grapheme cluster.
    private struct Cluster {
        /// Its scalars in the text.
        let source: Range<Int>
        /// Its scalars in ``FoldedText/scalars``.
        let folded: Range<Int>
        /// Its letter or sign, without its marks and before case is folded.
        let base: Unicode.Scalar
        /// What a class may name to match the base.
        let variants: [Unicode.Scalar]
        /// Whether it is nothing but its base.
        let isSingle: Bool
    }

    private let folding: Folding
    private var clusters: [Cluster] = []
    private var scalars: [Unicode.Scalar] = []
    /// What a class may name to match each of ``scalars``.
    private var variants: [[Unicode.Scalar]] = []
    /// Cluster of each of ``scalars``.
    private var owners: [Int] = []

    /// Number of scalars.
    var count: Int { self.scalars.count }

    init(_ text: [Unicode.Scalar], folding: Folding) {
        self.folding = folding
        // A space belongs to no cluster: the first letter of a word may be a misread mark, which would join it.
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        for (index, word) in words.enumerated() {
            if index > 0 { self.append(" ") }
            for character in String(String.UnicodeScalarView(word)) { self.append(character) }
        }
    }

    private mutating func append(_ character: Character) {
        let (text, folding, owner) = (String(character), self.folding, self.clusters.count)
        let exact = Folding.exact.scalars(of: text)
        let folded = folding == .exact ? exact : folding.scalars(of: text)
        guard let base = exact.first else { return }
        var variants = folding.variants(of: base)
        if folded.count == exact.count, folded[0] != base { variants.append(folded[0]) }
        let start = self.clusters.last?.source.upperBound ?? 0
        self.clusters.append(
            Cluster(
                source: start..<start + text.unicodeScalars.count,
                folded: self.count..<self.count + folded.count,
                base: base,
                variants: variants,
                isSingle: exact.count == 1
            )
        )
        self.scalars += folded
        self.variants += folded.map { folding.variants(of: $0) }
        self.owners += Array(repeating: owner, count: folded.count)
    }
}

extension FoldedText {
    /// Whether a match may begin at a scalar: at a character, or in a letter, as at a consonant of a conjunct.
    func mayBeginMatch(at index: Int) -> Bool {
        guard index < self.count else { return false }
        return self.beginsCharacter(at: index) || self.clusters[self.owners[index]].base.isWordPart
    }

    /// End of the character that a match ends in.
    func end(ofCharacterBefore index: Int) -> Int { self.clusters[self.owners[index - 1]].folded.upperBound }

    /// The scalars of the text that a match covers, as whole characters.
    func source(of match: Range<Int>) -> Range<Int> {
        let (first, last) = (self.owners[match.lowerBound], self.owners[match.upperBound - 1])
        return self.clusters[first].source.lowerBound..<self.clusters[last].source.upperBound
    }

    /// End of what a set matches at a scalar; `nil` if it does not match.
    ///
    /// That is one scalar, or the rest of a character that the set names as a whole or does not exclude.
    func end(of set: ScalarSet, at index: Int) -> Int? {
        guard index < self.count else { return nil }
        let cluster = self.clusters[self.owners[index]]
        let isNamed = !set.clusters.isEmpty && set.clusters.contains { $0[...] == self.scalars[cluster.folded] }
        if set.isExclusive {
            return (isNamed || set.names(anyOf: cluster.variants)) != set.isInverted ? cluster.folded.upperBound : nil
        }
        if isNamed || cluster.isSingle && set.names(anyOf: cluster.variants) { return cluster.folded.upperBound }
        if cluster.isSingle && cluster.folded.count == 1 { return nil }
        return set.names(anyOf: self.variants[index]) ? index + 1 : nil
    }

    /// Whether an assertion holds before a scalar, or at the end.
    func holds(_ assertion: PatternAssertion, at index: Int) -> Bool {
        switch assertion {
        case .start: index == 0
        case .end: index == self.count
        case .wordBoundary: self.isWordBoundary(at: index)
        case .noWordBoundary: !self.isWordBoundary(at: index)
        case .textBoundary: self.isTextBoundary(at: index)
        }
    }

    private func beginsCharacter(at index: Int) -> Bool {
        self.clusters[self.owners[index]].folded.lowerBound == index
    }

    private func isWordBoundary(at index: Int) -> Bool {
        let before = index > 0 && self.clusters[self.owners[index - 1]].base.isWordPart
        let after = index < self.count && self.clusters[self.owners[index]].base.isWordPart
        return before != after
    }

    private func isTextBoundary(at index: Int) -> Bool {
        guard index > 0, index < self.count else { return true }
        guard self.beginsCharacter(at: index) else { return false }
        let (before, after) = (self.clusters[self.owners[index - 1]].base, self.clusters[self.owners[index]].base)
        return !(before.isPartOfSpacedWord && after.isPartOfSpacedWord)
    }
}
