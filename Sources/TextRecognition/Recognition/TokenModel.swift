/// How likely a run of letters and digits is to stand somewhere in print: as a word, a number, both together, or a code.
///
/// A mixture of simple models. It compares readings of one run that differ in characters that look alike, and so need not be
/// normalized.
enum TokenModel {
    /// Logarithms of how frequent each kind of run is, rounded: words and numbers make up nearly all of print.
    private enum Frequency {
        static let word: Float = -0.3
        static let number: Float = -2.6
        /// TTY0, mp3; 10kg, 1st.
        static let wordAndNumber: Float = -3.2
        static let hexadecimal: Float = -4.6
        static let code: Float = -3.8
        static let codeOfSmallLetters: Float = -6
        static let codeOfBothCases: Float = -6.2
        /// I and a, which stand by themselves.
        static let wordOfOneLetter: Float = -2.5
        /// What a number right in front of more letters than a unit has adds.
        static let numberBeforeWord: Float = -3
    }
    /// Logarithms of how frequent each way to use capitals in a word is.
    private enum Casing {
        static let small: Float = -0.6
        static let capitalized: Float = -1.4
        static let capital: Float = -1.6
        static let mixed: Float = -4
    }
    /// Logarithms of the probability of one character of a kind.
    private enum Uniform {
        static let digit: Float = -2.3
        static let hexadecimal: Float = -2.8
        static let code: Float = -3.6
        static let codeOfBothCases: Float = -4.1
    }
    private static let wordsOfOneLetter: Set<Character> = ["I", "a", "A"]
    /// Letters of a unit or an ordinal's end, at most: kHz, min, th.
    private static let mostOfUnit = 3
    /// Fewer digits and letters are no hexadecimal number.
    private static let leastHexadecimal = 4

    /// The logarithm of a run's likelihood by the model that explains it best.
    static func logLikelihood(of run: [Character]) -> Float {
        let digits = run.count { $0.isWholeNumber }
        if digits == run.count { return Frequency.number + Uniform.digit * Float(digits) }
        return max(self.text(run, digits: digits), self.hexadecimal(run), self.code(run))
    }

    /// A word, with or without a number before or behind it.
    private static func text(_ run: [Character], digits: Int) -> Float {
        if digits == 0 {
            let isKnown = run.count == 1 && Self.wordsOfOneLetter.contains(run[0])
            return isKnown ? Frequency.wordOfOneLetter : Frequency.word + self.word(run[...])
        }
        let front = run.prefix { $0.isWholeNumber }
        let back = run.reversed().prefix { $0.isWholeNumber }
        let number = Frequency.wordAndNumber + Uniform.digit * Float(digits)
        if front.count == digits {
            let isUnit = run.count - digits <= Self.mostOfUnit
            return number + (isUnit ? 0 : Frequency.numberBeforeWord) + self.word(run[digits...])
        }
        if back.count == digits { return number + self.word(run[..<(run.count - digits)]) }
        return -.infinity
    }

    private static func word(_ letters: ArraySlice<Character>) -> Float {
        LetterBigrams.logProbability(of: letters) + self.casing(of: letters)
    }

    private static func casing(of letters: ArraySlice<Character>) -> Float {
        let capitals = letters.count { $0.isUppercase }
        if capitals == 0 { return Casing.small }
        if capitals == 1, letters.first?.isUppercase == true { return Casing.capitalized }
        return capitals == letters.count ? Casing.capital : Casing.mixed
    }

    private static func hexadecimal(_ run: [Character]) -> Float {
        let isPrefixed = run.count > 2 && run[0] == "0" && run[1] == "x"
        let digits = isPrefixed ? run[2...] : run[...]
        guard isPrefixed || digits.count >= Self.leastHexadecimal else { return -.infinity }
        let isSmall = digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        let isCapital = digits.allSatisfy { $0.isHexDigit && !$0.isLowercase }
        guard isSmall || isCapital else { return -.infinity }
        return Frequency.hexadecimal + Uniform.hexadecimal * Float(digits.count)
    }

    private static func code(_ run: [Character]) -> Float {
        let hasSmall = run.contains(where: \.isLowercase)
        if hasSmall, run.contains(where: \.isUppercase) {
            return Frequency.codeOfBothCases + Uniform.codeOfBothCases * Float(run.count)
        }
        return (hasSmall ? Frequency.codeOfSmallLetters : Frequency.code) + Uniform.code * Float(run.count)
    }
}
