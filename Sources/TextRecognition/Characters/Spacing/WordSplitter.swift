/// Word segmentation: splits a line's characters into words by their gaps and the recognizer's spaces.
///
/// Takes boxes in pixels of the rectified line and gives ranges of character indices.
enum WordSplitter {
    /// Character with what decides whether a word begins at it.
    struct Glyph {
        var box: BoundingBox
        var text: String
        /// Recognizer's log-odds of a space before it.
        var spaceLogOdds: Float
    }

    /// Weights of a logistic regression for a space before a character.
    ///
    /// Fitted on 40,000 gaps of lines rendered in 112 typefaces (words, numbers, codes, addresses) as both recognizers read
    /// them. Wrong gaps fall from 102 to 69 of 29,000 in proportional type, from 60 to 17 of 14,000 in monospaced (accuracy
    /// log, *Look-alike characters*). Those of monospaced lines were chosen on others.
    private enum Weight {
        /// Log-odds of a space per character height of excess gap.
        static let gap: Float = 12.5
        /// Log-odds of a space per unit of the recognizer's own.
        static let space: Float = 1.25
        static let bias: Float = -1.3
        /// Log-odds of a space in a monospaced line where a cell is free.
        static let freeCell: Float = 6.5
        /// Log-odds of a space in a monospaced line where none is: it overrules all but the surest recognizer, which sees one
        /// before brackets (accuracy log, *Brackets in monospaced lines*).
        static let adjacentCells: Float = -6.5
    }

    /// Chosen on the same lines; not measured alone.
    private enum Tuning {
        /// Bound of the recognizer's log-odds.
        ///
        /// Without one, gaps that *tiny* surely joined stay joined (accuracy log, *Word gaps from ink and recognizer together*).
        static let maxLogOdds: Float = 6
        /// Gap before or behind a digit that is a space whatever the others are, in character heights.
        ///
        /// Scores and keys far apart are several numbers; titles are set as wide, but in letters. Of 30 drawn rows of single digits
        /// one to three heights apart, 15 were read as one number at `fast` (accuracy log, *Pictures that were drawn to fail*).
        static let widestGap: Float = 1.3
        /// Least spaces of a line that show how wide its spaces are.
        static let minSpaces = 2
        /// Share of the median space that makes another gap one.
        static let spaceShare: Float = 0.9
        /// Log-odds of a space there, at least.
        ///
        /// Words of the dictionary may overrule it: *Ta ble* of letters that are set apart (accuracy log, *Spaces and the words
        /// of the dictionary*).
        static let wideGap: Float = 0.5
        /// Excess of the gap before a `>` that ends a line, in character heights, from which it is a space whatever the
        /// recognizer saw.
        ///
        /// Nine that were joined have 0.16 to 0.28, and those that belong to a word at most 0.06 (accuracy log, *Arrows
        /// on buttons*).
        static let arrowGap: Float = 0.12
        /// Log-odds against a space on the inside of a bracket, where print has none.
        static let insideBracket: Float = 4
    }

    private static let openingBrackets: Set = ["(", "[", "{", "（", "【"]
    private static let closingBrackets: Set = [")", "]", "}", "）", "】"]

    /// Returns the words of a line by its gaps alone, as ranges that cover all characters in order.
    static func words(_ boxes: [BoundingBox]) -> [Range<Int>] {
        let (gaps, pitch) = (LineGaps(boxes), CharacterPitch(boxes))
        let wordGap = gaps.wordGap
        return self.words(of: boxes.count) { index in
            gaps.widths[index] > wordGap && pitch?.isAdjacent(index + 1) != true
        }
    }

    /// Returns the words of a line by the recognizer's spaces alone.
    ///
    /// - Parameter spaces: For each character the log-odds of a space before it, 0 or more where one was decoded.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(spaces: [Float]) -> [Range<Int>] {
        self.words(of: spaces.count) { spaces[$0 + 1] >= 0 }
    }

    /// Returns the words of a line by its gaps and the recognizer's spaces.
    ///
    /// Recognizers miss spaces that are plain to see, and report some behind narrow letters. Logistic regression therefore
    /// weighs their log-odds against the gaps, less the side bearings of the characters.
    ///
    /// - Parameters:
    ///   - glyphs: The characters, from left to right.
    ///   - words: Decides gaps that are left open; `nil` without a dictionary.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ glyphs: [Glyph], by words: WordSpacing? = nil) -> [Range<Int>] {
        let boxes = glyphs.map(\.box)
        let pitch = CharacterPitch(boxes, characters: glyphs.map(\.text))
        let gaps = LineGaps(boxes, bearings: glyphs.map { SideBearing(of: $0.text) })
        let operators = OperatorSpacing(glyphs)
        let usual = gaps.usual(besides: operators.gaps)
        var odds = gaps.widths.indices.map { index in
            let spaceLogOdds = glyphs[index + 1].spaceLogOdds
            var space = Weight.space * max(-Tuning.maxLogOdds, min(Tuning.maxLogOdds, spaceLogOdds))
            if Self.openingBrackets.contains(glyphs[index].text)
                || Self.closingBrackets.contains(glyphs[index + 1].text)
            {
                space -= Tuning.insideBracket
            }
            guard let pitch else { return Weight.gap * max(0, gaps.widths[index] - usual) + space + Weight.bias }
            return space + (pitch.isAdjacent(index + 1) ? Weight.adjacentCells : Weight.freeCell)
        }
        operators.apply(to: &odds)
        if pitch == nil { Self.addWideGaps(to: &odds, of: gaps.widths, glyphs) }
        words?.apply(to: &odds, excess: gaps.widths.map { $0 - usual }, spaces: glyphs.map(\.spaceLogOdds))
        let arrow = pitch == nil && glyphs.last?.text == ">" ? glyphs.count - 1 : nil
        return self.words(of: glyphs.count) { index in
            odds[index] > 0 || gaps.widths[index] > Tuning.widestGap && Self.isDigit(beside: index, glyphs)
                || index + 1 == arrow && gaps.widths[index] > usual + Tuning.arrowGap
        }
    }

    /// Returns whether the character at an index or the next one is a digit from 0 to 9; 三 is part of titles.
    private static func isDigit(beside index: Int, _ glyphs: [Glyph]) -> Bool {
        [index, index + 1].contains { glyphs[$0].text.first.map { $0.isASCII && $0.isNumber } ?? false }
    }

    /// Adds spaces at gaps as wide as the line's clear ones, unless the recognizer is sure that there is none.
    private static func addWideGaps(to odds: inout [Float], of widths: [Float], _ glyphs: [Glyph]) {
        let spaces = zip(widths, odds).filter { $1 > 0 }.map(\.0).sorted()
        guard spaces.count >= Tuning.minSpaces else { return }
        let spaceWidth = Tuning.spaceShare * spaces[spaces.count / 2]
        for index in odds.indices
        where widths[index] >= spaceWidth && glyphs[index + 1].spaceLogOdds > -Tuning.maxLogOdds {
            odds[index] = max(odds[index], Tuning.wideGap)
        }
    }

    /// Returns the words of `count` characters; `endsWord` is called for each but the last.
    private static func words(of count: Int, endsWord: (Int) -> Bool) -> [Range<Int>] {
        let ends = (0..<count).dropLast().filter(endsWord).map { $0 + 1 }
        return zip([0] + ends, ends + [count]).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}
