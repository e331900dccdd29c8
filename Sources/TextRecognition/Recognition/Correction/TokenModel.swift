/// Token language model: log-likelihood of a token of letters and digits as word, number, both, or code.
///
/// The best of some simple models. It only compares readings of one token that differ in confusable characters, and so need
/// not be normalised. The numbers are rounded estimates, checked on rendered lines in 112 typefaces: at 0.7 of its weight
/// serial numbers fall from 0.909 to 0.901, with codes less likely by a factor of e licence keys from 0.875 to 0.858 (accuracy
/// log, *Look-alike characters*).
enum TokenModel {
    /// Log-frequencies of the kinds of token; words and numbers make up nearly all of print.
    private enum Frequency {
        static let word: Float = -0.3
        static let number: Float = -2.6
        /// Word with a number: TTY0, mp3; 10kg, 1st.
        static let wordAndNumber: Float = -3.2
        static let hexadecimal: Float = -4.6
        static let code: Float = -3.8
        static let codeOfSmallLetters: Float = -6
        static let codeOfBothCases: Float = -6.2
        /// I and a.
        static let wordOfOneLetter: Float = -2.5
        /// Penalty of a number directly before a word that is longer than a unit.
        static let numberBeforeWord: Float = -3
    }
    /// Log-frequencies of the casings of a word.
    private enum Casing {
        static let small: Float = -0.6
        static let capitalized: Float = -1.4
        static let capital: Float = -1.6
        static let mixed: Float = -4
    }
    /// Log-probabilities of one character, uniform over its kind.
    private enum Uniform {
        static let digit: Float = -2.3
        static let hexadecimal: Float = -2.8
        static let code: Float = -3.6
        static let codeOfBothCases: Float = -4.1
    }
    private static let wordsOfOneLetter: Set<Character> = ["I", "a", "A"]
    /// Most letters of a unit or an ordinal suffix: kHz, min, th.
    private static let maxUnitLetters = 3
    /// Least digits of a hexadecimal number without a prefix.
    private static let minHexadecimalDigits = 4

    /// Returns the log-likelihood of a token under the model that fits it best.
    static func logLikelihood(of token: [Character]) -> Float {
        let digits = token.count { $0.isWholeNumber }
        if digits == token.count { return Frequency.number + Uniform.digit * Float(digits) }
        return max(self.text(token, digits: digits), self.hexadecimal(token), self.code(token))
    }

    /// Returns the log-likelihood of a word, with or without a number before or behind it.
    private static func text(_ token: [Character], digits: Int) -> Float {
        if digits == 0 {
            let isKnown = token.count == 1 && Self.wordsOfOneLetter.contains(token[0])
            return isKnown ? Frequency.wordOfOneLetter : Frequency.word + self.word(token[...])
        }
        let front = token.prefix { $0.isWholeNumber }
        let back = token.reversed().prefix { $0.isWholeNumber }
        let number = Frequency.wordAndNumber + Uniform.digit * Float(digits)
        if front.count == digits {
            let isUnit = token.count - digits <= Self.maxUnitLetters
            return number + (isUnit ? 0 : Frequency.numberBeforeWord) + self.word(token[digits...])
        }
        if back.count == digits { return number + self.word(token[..<(token.count - digits)]) }
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

    private static func hexadecimal(_ token: [Character]) -> Float {
        let isPrefixed = token.count > 2 && token[0] == "0" && token[1] == "x"
        let digits = isPrefixed ? token[2...] : token[...]
        guard isPrefixed || digits.count >= Self.minHexadecimalDigits else { return -.infinity }
        let isSmall = digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        let isCapital = digits.allSatisfy { $0.isHexDigit && !$0.isLowercase }
        guard isSmall || isCapital else { return -.infinity }
        return Frequency.hexadecimal + Uniform.hexadecimal * Float(digits.count)
    }

    private static func code(_ token: [Character]) -> Float {
        let hasSmall = token.contains(where: \.isLowercase)
        if hasSmall, token.contains(where: \.isUppercase) {
            return Frequency.codeOfBothCases + Uniform.codeOfBothCases * Float(token.count)
        }
        return (hasSmall ? Frequency.codeOfSmallLetters : Frequency.code) + Uniform.code * Float(token.count)
    }
}
