/// Spaces beside operators: those of a formula stand between two spaces or between none.
///
/// Recognizers see few formulas, and give the spaces in them low probabilities. The two sides of an operator are therefore
/// decided together. Takes the glyphs of a line and the log-odds of a space at each gap between them.
struct OperatorSpacing {
    /// Fitted on 1,880 operators in formulas drawn in 13 typefaces, half of them without spaces.
    ///
    /// Lines with right letters and wrong spaces: 43 → 5 of 569 at `fast` (accuracy log, *Spaces beside operators*).
    private enum Tuning {
        /// Log-odds of a space beside an operator over those of a space between any two characters.
        static let prior: Float = 4
        /// Log-odds against a space on one side alone, as in `C++ 20` and `< 5`.
        static let oneSided: Float = 2
    }

    /// Operators of formulas.
    private static let operators: Set = ["=", "+", "±", "×", "÷", "≤", "≥", "≠", "≈", "<", ">", "*"]
    /// Operators that also join words and the parts of dates, without spaces or with one behind.
    private static let joiners: Set = ["/", "-", "−", "–"]

    private let glyphs: [WordSplitter.Glyph]
    /// Operators between two characters that are none: `++` and `->` are written as they are meant.
    private let places: [Int]

    /// Finds the operators of a line.
    init(_ glyphs: [WordSplitter.Glyph]) {
        let isOperator = glyphs.map { Self.operators.contains($0.text) || Self.joiners.contains($0.text) }
        self.glyphs = glyphs
        self.places = glyphs.indices.dropFirst().dropLast().filter { index in
            isOperator[index] && !isOperator[index - 1] && !isOperator[index + 1]
        }
    }

    /// Gaps beside operators, by the character before each.
    var gaps: Set<Int> { Set(self.places.flatMap { [$0 - 1, $0] }) }

    /// Sets the log-odds on both sides of each operator to what is likeliest for the two together.
    ///
    /// - Parameter odds: The log-odds of a space behind each character but the last.
    func apply(to odds: inout [Float]) {
        for index in self.places {
            let isJoiner = Self.joiners.contains(self.glyphs[index].text)
            let prior = isJoiner ? 0 : Tuning.prior
            let (before, behind) = (odds[index - 1] + prior, odds[index] + prior)
            let both = before + behind
            if both > 0, min(before, behind) > -Tuning.oneSided {
                (odds[index - 1], odds[index]) = (both, both)
            } else if !isJoiner {
                (odds[index - 1], odds[index]) = (before - Tuning.oneSided, behind - Tuning.oneSided)
            }
        }
    }
}
