/// Letter heights: which letters reach the cap height, the x-height and the baseline, and what that implies.
///
/// Everything that infers a capital's height from a line, or a letter's case from its height, is here. Heights are in pixels of
/// the rectified line, or in capital heights where it is said.
enum LetterHeights {
    /// Chosen on rendered lines in 112 typefaces (accuracy log, *Look-alike characters*); none was measured alone.
    private enum Tuning {
        /// Height in capital heights at which capital and x-height letters are equally likely.
        ///
        /// X-heights are 0.65 to 0.78 of it, small capitals up to 0.85.
        static let middle: Float = 0.87
        /// Log-odds of a capital for each capital height above the middle.
        static let slope: Float = 20
        /// Largest log-odds for or against a capital.
        static let maxLogOdds: Float = 2.5
    }

    /// Letters and digits whose tops mark a line's cap height.
    static let tall = Set("bdfhklABDEFGHIKLMNPRTUXYZ0123456789")
    /// Letters and digits that stand on the baseline.
    static let standing = Set("abcdefhiklmnorstuvwxzABCDEFGHIKLMNOPRSTUVWXYZ0123456789")
    /// X-height in capital heights, typical of text faces.
    static let xHeight: Float = 0.72
    /// Small letters with an ascender.
    private static let ascending = "bdfhkl"
    /// Small letters as high as an x.
    private static let xHigh = "aceimnorsuvwxz"
    /// Letters of one shape in both cases, whose height the resolver decides and must not learn from.
    private static let caseless = "CcOoSsUuVvWwXxZz"

    /// Returns the median height of the characters that surely have capital height; `nil` without any.
    static func medianCapital(_ characters: [(text: Character, height: Float)]) -> Float? {
        let heights = characters.filter { text, _ in
            (text.isUppercase || text.isWholeNumber || Self.ascending.contains(text))
                && !Self.caseless.contains(text) && text.isASCII
        }.map(\.height).sorted()
        return heights.isEmpty ? nil : heights[heights.count / 2]
    }

    /// Returns the log-odds of a reading by its height in capital heights; 0 for a character of neither height.
    static func logOdds(of text: Character, height: Float) -> Float {
        let odds = max(-Tuning.maxLogOdds, min(Tuning.maxLogOdds, Tuning.slope * (height - Tuning.middle)))
        if Self.xHigh.contains(text) { return -odds }
        // A t is lower than other ascenders, but higher than an x.
        return text.isUppercase || text.isWholeNumber || text == "t" || Self.ascending.contains(text) ? odds : 0
    }
}
