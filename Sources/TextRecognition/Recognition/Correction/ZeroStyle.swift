/// Style of a line's zeros, learned from those among digits, which are zeros for certain.
///
/// It distinguishes zeros with a dot or a stroke, and the recognizer's usual log-ratio for zeros, from the letter O.
struct ZeroStyle {
    /// Mean centre foreground of the line's zeros, where they have a dot or a stroke.
    private let markForeground: Float?
    /// Log-odds of the reading that fits the mark or its absence.
    private let markLogOdds: Float
    /// Mean log-ratio of the letter O to the line's zeros.
    private let letterLogRatio: Float?

    /// Chosen on rendered lines in 112 typefaces (accuracy log, *Look-alike characters*); none was measured alone.
    private enum Tuning {
        /// Least centre foreground of a zero with a mark.
        static let minMark: Float = 0.3
        /// Difference in centre foreground by which a ring without the mark falls short.
        static let markDifference: Float = 0.2
        /// Log-odds of the reading that fits the mark or its absence, for each zero of the line that has the mark.
        static let markLogOdds: Float = 4
        /// Most zeros that count.
        static let maxZeros = 2
        /// Weight of a ring's log-ratio in excess of that of the line's zeros.
        static let excessWeight: Float = 0.5
        /// Excess that does not count.
        static let minExcess: Float = 3
        /// Largest log-odds for the excess.
        static let maxExcessLogOdds: Float = 4
    }

    /// Whether a text is a zero or a letter of its shape.
    static func isRing(_ text: String) -> Bool { text == "0" || text == "O" || text == "o" }

    /// Whether the line's zeros have a mark by which they differ from letters.
    var hasMark: Bool { self.markForeground != nil }

    /// Measures the style of a line.
    init(_ glyphs: [ConfusableResolver.Glyph]) {
        let zeros = glyphs.indices.filter { index in
            let neighbours = [index - 1, index + 1].filter(glyphs.indices.contains)
            let isAmongDigits =
                neighbours.allSatisfy { !glyphs[$0].text.isLetter }
                && neighbours.contains { glyphs[$0].text.isWholeNumber }
            return glyphs[index].text == "0" && isAmongDigits
        }.map { glyphs[$0] }
        guard !zeros.isEmpty else {
            (self.markForeground, self.markLogOdds, self.letterLogRatio) = (nil, 0, nil)
            return
        }
        let foreground = zeros.reduce(0) { $0 + $1.shape.centreForeground } / Float(zeros.count)
        self.markForeground = foreground >= Tuning.minMark ? foreground : nil
        self.markLogOdds = Tuning.markLogOdds * Float(min(zeros.count, Tuning.maxZeros))
        let ratios = zeros.compactMap { $0.recognized.alternatives.map(\.logRatio).max() }
        self.letterLogRatio = ratios.isEmpty ? nil : ratios.reduce(0, +) / Float(ratios.count)
    }

    /// Returns the log-odds that the style adds to a reading; 0 for other characters than rings.
    ///
    /// - Parameters:
    ///   - text: The reading.
    ///   - logRatio: The log-ratio of the reading to the recognized character.
    ///   - glyph: The recognized character.
    /// - Returns: The log-odds.
    func logOdds(of text: Character, logRatio: Float, recognized glyph: ConfusableResolver.Glyph) -> Float {
        guard "0Oo".contains(text) else { return 0 }
        var odds: Float = 0
        let foreground = glyph.shape.centreForeground
        if let markForeground = self.markForeground {
            // What is darker than the mark is no ring that the mask shows.
            if foreground <= markForeground + Tuning.markDifference {
                let isMarked = foreground >= markForeground - Tuning.markDifference
                odds += isMarked == (text == "0") ? self.markLogOdds : 0
            }
        }
        if let letterLogRatio = self.letterLogRatio, glyph.text == "0", text != "0" {
            let excess = logRatio - letterLogRatio - Tuning.minExcess
            odds += max(0, min(Tuning.maxExcessLogOdds, Tuning.excessWeight * excess))
        }
        return odds
    }
}
