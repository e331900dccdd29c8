/// Divides a line's characters into words.
enum WordSplitter {
    /// The weights of a logistic regression for a space before a character.
    ///
    /// Fitted on 40,000 gaps of lines rendered in 112 typefaces (words, numbers, codes, addresses), beside what the two
    /// recognizers read in them.
    private enum Weight {
        /// Log-odds of a space per character height of gap beyond the line's usual one.
        static let gap: Float = 12.5
        /// Per unit of the recognizer's own log-odds of a space.
        static let space: Float = 1.25
        static let bias: Float = -1.3
        /// In a monospaced line, where a cell is left free before the character.
        static let freeCell: Float = 9
        static let monospacedBias: Float = -2.5
    }
    /// However sure a recognizer is of a space, or of none, it counts as no surer than this.
    private static let mostSure: Float = 6

    /// The ranges of characters that make up the words of a line, by its ink alone.
    ///
    /// - Parameter boxes: Where the characters are.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ boxes: [BoundingBox]) -> [Range<Int>] {
        let (gaps, pitch) = (LineGaps(boxes), CharacterPitch(boxes))
        let wordGap = gaps.wordGap
        return self.words(of: boxes.count) { index in
            gaps.widths[index] > wordGap && pitch?.isAdjacent(index + 1) != true
        }
    }

    /// The ranges of characters that make up the words of a line as a recogniser read it.
    ///
    /// - Parameter spaces: For each character the recogniser's log odds of a space before it, 0 or more where one was read.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(spaces: [Float]) -> [Range<Int>] {
        self.words(of: spaces.count) { spaces[$0 + 1] >= 0 }
    }

    /// The ranges of characters that make up the words of a line, by its ink and by what a recogniser says of spaces.
    ///
    /// Recognizers leave out spaces that are plain to see, and see some behind narrow letters. So both are heard: whether a
    /// word ends is decided by logistic regression over the gap and the recognizer's log-odds.
    ///
    /// - Parameters:
    ///   - boxes: Where the characters are.
    ///   - characters: What they say; their side bearings are no part of a gap.
    ///   - spaces: For each character the log-odds of a space before it, as the recognizer has them.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ boxes: [BoundingBox], characters: [String], spaces: [Float]) -> [Range<Int>] {
        let pitch = CharacterPitch(boxes, characters: characters)
        let gaps = LineGaps(boxes, bearings: characters.map(SideBearing.init(of:)))
        let usual = gaps.usual
        let odds = gaps.widths.indices.map { index in
            let space = Weight.space * max(-Self.mostSure, min(Self.mostSure, spaces[index + 1]))
            guard let pitch else { return Weight.gap * max(0, gaps.widths[index] - usual) + space + Weight.bias }
            return space + (pitch.isAdjacent(index + 1) ? 0 : Weight.freeCell) + Weight.monospacedBias
        }
        let alike = pitch == nil ? Self.spaceWidth(of: gaps.widths, odds) : .infinity
        return self.words(of: boxes.count) { index in
            odds[index] > 0 || gaps.widths[index] >= alike && spaces[index + 1] > -Self.mostSure
        }
    }

    /// The width of gap that is a space since those of the line that are spaces for themselves are no wider; infinity where
    /// too few are.
    private static func spaceWidth(of widths: [Float], _ odds: [Float]) -> Float {
        let spaces = zip(widths, odds).filter { $1 > 0 }.map(\.0).sorted()
        return spaces.count < Self.leastAlike.count ? .infinity : Self.leastAlike.share * spaces[spaces.count / 2]
    }

    /// How many spaces show how wide they are, and the share of their median that a gap must reach to be one, too.
    private static let leastAlike: (count: Int, share: Float) = (2, 0.9)

    /// The words of so many characters; `endsWord` is asked for each but the last.
    private static func words(of count: Int, endsWord: (Int) -> Bool) -> [Range<Int>] {
        let ends = (0..<count).dropLast().filter(endsWord).map { $0 + 1 }
        return zip([0] + ends, ends + [count]).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}
