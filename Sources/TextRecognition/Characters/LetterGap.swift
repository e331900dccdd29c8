/// The room between two neighbours among a line's letters.
struct LetterGap {
    /// In columns of the straightened line.
    let width: Float
    /// The column in its middle.
    let middle: Float
    /// Whether a word ends there.
    let endsWord: Bool

    /// What a column that a cut lies off where all sections would be equally long costs, in columns of a gap.
    fileprivate static let distanceCost: Float = 0.01

    /// The gaps between letters, from left to right; letters that overlap have none between them.
    static func gaps(between letters: [BoundingBox]) -> [LetterGap] {
        let gaps = LineGaps(letters)
        let wordGap = gaps.wordGap
        return zip(zip(letters, letters.dropFirst()), gaps.widths).compactMap { pair, width in
            let (left, right) = (pair.0.x1, pair.1.x0)
            guard right > left else { return nil }
            return LetterGap(width: right - left, middle: (left + right) / 2, endsWord: width > wordGap)
        }
    }
}

extension [LetterGap] {
    /// Where to cut a line into sections of much the same length: in the widest gap near each of their ends.
    ///
    /// - Parameters:
    ///   - count: Of the sections.
    ///   - width: Of the line, in columns.
    /// - Returns: The gaps between the sections, none of which is longer than one and a half times the mean; a gap of no width
    ///   where there is none.
    func cuts(into count: Int, of width: Float) -> [LetterGap] {
        let section = width / Float(count)
        return (1..<count).map { index in
            let end = Float(index) * section
            func worth(_ gap: LetterGap) -> Float { gap.width - LetterGap.distanceCost * abs(gap.middle - end) }
            return self.filter { abs($0.middle - end) < section / 4 }.max { worth($0) < worth($1) }
                ?? LetterGap(width: 0, middle: end, endsWord: false)
        }
    }
}
