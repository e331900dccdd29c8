/// What the zeros of a line look like that stand in numbers, and so are zeros for certain.
struct ZeroStyle {
    /// How much ink they have in their middle where they have a dot or a stroke there.
    private let markInk: Float?
    /// The mean logarithm of an O's probability as a share of theirs.
    private let letterRatio: Float?

    /// The least ink of a mark, and by how much less a ring without one has.
    private static let mark: (least: Float, difference: Float) = (0.3, 0.2)
    /// Log-odds of a zero for a ring with such a mark, and against it without.
    private static let markOdds: Float = 4
    /// How much of the difference between a ring's log-odds and those of zeros counts, beyond which, and how much at most.
    private static let difference: (weight: Float, least: Float, most: Float) = (0.5, 3, 4)

    /// Whether a character is a zero or like one, of which the ink in the middle counts.
    static func isRing(_ text: String) -> Bool { text == "0" || text == "O" || text == "o" }

    /// The style of a line.
    init(_ characters: [CTCCharacter], texts: [Character], shapes: [ConfusableResolver.Shape]) {
        let zeros = texts.indices.filter { index in
            let isAmongDigits =
                [index - 1, index + 1].allSatisfy { !texts.indices.contains($0) || !texts[$0].isLetter }
                && [index - 1, index + 1].contains { texts.indices.contains($0) && texts[$0].isWholeNumber }
            return texts[index] == "0" && isAmongDigits
        }
        guard !zeros.isEmpty else {
            (self.markInk, self.letterRatio) = (nil, nil)
            return
        }
        let ink = zeros.reduce(0) { $0 + shapes[$1].middleInk } / Float(zeros.count)
        self.markInk = ink >= Self.mark.least ? ink : nil
        let ratios = zeros.compactMap { characters[$0].rivals.map(\.logRatio).max() }
        self.letterRatio = ratios.isEmpty ? nil : ratios.reduce(0, +) / Float(ratios.count)
    }

    /// The log-odds that they add to a reading.
    ///
    /// - Parameters:
    ///   - text: The reading.
    ///   - logRatio: The logarithm of its probability as a share of that of `read`.
    ///   - read: What the recognizer read.
    ///   - shape: Of the character.
    /// - Returns: 0 for what is no ring.
    func logOdds(
        of text: Character,
        logRatio: Float,
        read: Character,
        shape: ConfusableResolver.Shape
    ) -> Float {
        guard "0Oo".contains(text) else { return 0 }
        var odds: Float = 0
        if let markInk = self.markInk {
            let isMarked = shape.middleInk >= markInk - Self.mark.difference
            odds += isMarked == (text == "0") ? Self.markOdds : 0
        }
        if let letterRatio = self.letterRatio, read == "0", text != "0" {
            let excess = logRatio - letterRatio - Self.difference.least
            odds += max(0, min(Self.difference.most, Self.difference.weight * excess))
        }
        return odds
    }
}
