/// Spaces beside operators: those of a formula stand between two spaces or between none.
///
/// Recognisers see few formulas, and give the spaces in them low probabilities. The two sides of an operator are therefore decided together.
/// Takes the glyphs of a line and the log-odds of a space at each gap between them.
enum OperatorSpacing {
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

    /// Returns the gaps beside operators, by the character before each.
    static func gaps(beside glyphs: [WordSplitter.Glyph]) -> Set<Int> {
        Set(self.places(in: glyphs).flatMap { [$0 - 1, $0] })
    }

    /// Sets the log-odds on both sides of each operator to what is likeliest for the two together.
    ///
    /// - Parameters:
    ///   - odds: The log-odds of a space behind each character but the last.
    ///   - glyphs: The characters of the line.
    static func apply(to odds: inout [Float], of glyphs: [WordSplitter.Glyph]) {
        for index in self.places(in: glyphs) {
            let isJoiner = self.joiners.contains(glyphs[index].text)
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

    /// Operators between two characters that are none: `++` and `->` are written as they are meant.
    private static func places(in glyphs: [WordSplitter.Glyph]) -> [Int] {
        let isOperator = glyphs.map { self.operators.contains($0.text) || self.joiners.contains($0.text) }
        return glyphs.indices.dropFirst().dropLast().filter { index in
            isOperator[index] && !isOperator[index - 1] && !isOperator[index + 1]
        }
    }
}
