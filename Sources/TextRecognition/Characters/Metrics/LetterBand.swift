/// Letter band of a line: the rows from its cap height to its baseline, in pixels of the rectified line.
struct LetterBand {
    /// Row of the cap height.
    let top: Float
    /// Row of the baseline.
    let baseline: Float
    /// Height of a capital.
    var height: Float { self.baseline - self.top }

    /// Least height in pixels that can be measured.
    private static let minHeight: Float = 1

    /// Measures the band by the medians of the line's letters; `nil` where it has none that show it.
    init?(_ line: LineCharacters, _ alphabet: Alphabet) {
        func median(_ letters: Set<Character>, _ row: (BoundingBox) -> Float) -> Float? {
            let rows = line.characters.filter { character in
                alphabet.characters[character.recognized.label].first.map(letters.contains) ?? false
            }.map { row($0.box) }.sorted()
            return rows.isEmpty ? nil : rows[rows.count / 2]
        }
        guard let baseline = median(LetterHeights.standing, \.y1) else { return nil }
        // Without a tall letter, the x-height implies the cap height.
        let impliedTop = median(LetterHeights.standing, \.y0).map { baseline - (baseline - $0) / LetterHeights.xHeight }
        guard let top = median(LetterHeights.tall, \.y0) ?? impliedTop, baseline - top > Self.minHeight else {
            return nil
        }
        self.top = top
        self.baseline = baseline
    }
}
