/// Gap between two neighbouring characters, in pixels of the rectified line.
struct LetterGap {
    /// Width in columns.
    let width: Float
    /// Column of its centre.
    let middle: Float
    /// Whether a word ends at the gap.
    let endsWord: Bool

    /// Cost, in columns of gap, of each column between a cut and the end of an equal section; not measured.
    fileprivate static let distanceCost: Float = 0.01

    /// Returns the gaps between characters from left to right; overlapping ones have none.
    static func gaps(between characters: [BoundingBox]) -> [LetterGap] {
        let gaps = LineGaps(characters)
        let wordGap = gaps.wordGap
        return zip(zip(characters, characters.dropFirst()), gaps.widths).compactMap { pair, width in
            let (left, right) = (pair.0.x1, pair.1.x0)
            guard right > left else { return nil }
            return LetterGap(width: right - left, middle: (left + right) / 2, endsWord: width > wordGap)
        }
    }
}

extension [LetterGap] {
    /// Returns the cuts of a line into sections of similar length: the widest gap near each end.
    ///
    /// - Parameters:
    ///   - count: The number of sections.
    ///   - width: The width of the line in columns.
    /// - Returns: The gaps between the sections; an empty gap where there is none. No section exceeds one and a half times the
    ///   mean.
    func cuts(into count: Int, of width: Float) -> [LetterGap] {
        let section = width / Float(count)
        return (1..<count).map { index in
            let end = Float(index) * section
            func score(_ gap: LetterGap) -> Float { gap.width - LetterGap.distanceCost * abs(gap.middle - end) }
            return self.filter { abs($0.middle - end) < section / 4 }.max { score($0) < score($1) }
                ?? LetterGap(width: 0, middle: end, endsWord: false)
        }
    }
}
