/// Thousands or decimal separator of a number: a comma or a full stop between its digits.
///
/// Placed by word and character, not by pixels.
struct NumberSeparator {
    /// Index of its word in the line.
    let word: Int
    /// Index of its character in the word.
    let character: Int
    /// Position in the word's text, in which a character before it may be written as two.
    let position: Int
    /// Whether it is a comma, not a full stop.
    let isComma: Bool
    /// Log-ratio of the other separator's probability to its own, 0 or less.
    let otherLogRatio: Float

    /// Digits of a group.
    private static let groupLength = 3

    /// Returns the ambiguous separators of a line: behind one to three digits and before exactly three.
    static func all(in line: LineCharacters, _ alphabet: Alphabet) -> [NumberSeparator] {
        line.words.enumerated().flatMap { number, word in
            let texts = word.map { line.text(of: $0, alphabet) }
            return texts.indices.compactMap { index -> NumberSeparator? in
                guard texts[index] == "," || texts[index] == ".", Self.isGroup(at: index, of: texts) else { return nil }
                // The two are one confusable set, so the first alternative is the other one.
                let other = line.characters[word.lowerBound + index].recognized.alternatives.first?.logRatio
                return NumberSeparator(
                    word: number,
                    character: index,
                    position: texts[..<index].joined().count,
                    isComma: texts[index] == ",",
                    otherLogRatio: other ?? -.infinity
                )
            }
        }
    }

    private static func isGroup(at index: Int, of texts: [String]) -> Bool {
        let before = texts[..<index].reversed().prefix(while: Self.isDigit).count
        let behind = texts[(index + 1)...].prefix(while: Self.isDigit).count
        return behind == Self.groupLength && (1...Self.groupLength).contains(before)
    }

    private static func isDigit(_ text: String) -> Bool { text.count == 1 && ("0"..."9").contains(text) }
}
