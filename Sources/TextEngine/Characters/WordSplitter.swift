/// Divides a line's characters into words.
enum WordSplitter {
    /// What a character height by which a gap is wider than the line's usual one adds to the log odds of a space.
    private static let gapWeight: Float = 7.8
    /// What the recogniser's log odds of a space add.
    private static let spaceWeight: Float = 1.05
    /// The log odds where neither says anything.
    private static let bias: Float = -0.7
    /// However sure a recogniser is of a space, or of none, it counts as no surer than this.
    private static let mostSure: Float = 5

    /// The ranges of characters that make up the words of a line, by its ink alone.
    ///
    /// - Parameter boxes: Where the characters are.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ boxes: [InkBox]) -> [Range<Int>] {
        let (gaps, pitch) = (LineGaps(boxes), LinePitch(boxes))
        let wordGap = gaps.wordGap
        return self.words(of: boxes.count) { index in
            gaps.widths[index] > wordGap && pitch?.areNeighbours(boxes[index], boxes[index + 1]) != true
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
    /// Recognisers leave out spaces that are plain to see, and see some behind narrow letters, most of all where all letters
    /// are as far apart. So both are heard: whether a word ends is decided by logistic regression over the gap and the
    /// recogniser's log odds.
    ///
    /// - Parameters:
    ///   - boxes: Where the characters are.
    ///   - spaces: For each character the log odds of a space before it, as the recogniser has them.
    /// - Returns: Ranges that cover all characters, in order.
    static func words(_ boxes: [InkBox], spaces: [Float]) -> [Range<Int>] {
        let (gaps, pitch) = (LineGaps(boxes), LinePitch(boxes))
        let usual = gaps.usual
        return self.words(of: boxes.count) { index in
            let space = max(-Self.mostSure, min(Self.mostSure, spaces[index + 1]))
            let areNeighbours = pitch?.areNeighbours(boxes[index], boxes[index + 1]) == true
            // Beside narrow letters there is more room, which is no space.
            let wider = areNeighbours ? 0 : max(0, gaps.widths[index] - usual)
            return Self.gapWeight * wider + Self.spaceWeight * space + Self.bias > 0
        }
    }

    /// The words of so many characters; `endsWord` is asked for each but the last.
    private static func words(of count: Int, endsWord: (Int) -> Bool) -> [Range<Int>] {
        let ends = (0..<count).dropLast().filter(endsWord).map { $0 + 1 }
        return zip([0] + ends, ends + [count]).map { $0..<$1 }.filter { !$0.isEmpty }
    }
}
