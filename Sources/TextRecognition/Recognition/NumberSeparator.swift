internal import Glibc
internal import TextModel

/// A comma or a point between the digits of a number.
struct NumberSeparator {
    /// Which word of its line.
    let word: Int
    /// Which character of the word.
    let character: Int
    /// A comma, not a point.
    let isComma: Bool
    /// The logarithm of the other one's probability as a share of its own, 0 or less.
    let otherLogRatio: Float

    /// Digits of a group.
    private static let groupLength = 3

    /// The separators of a line behind which three digits stand and no more, and before which one to three do.
    static func all(in parts: LineCharacters, _ alphabet: Alphabet) -> [NumberSeparator] {
        parts.words.enumerated().flatMap { number, word in
            let texts = word.map { alphabet.characters[parts.characters[$0].label] }
            return texts.indices.compactMap { index -> NumberSeparator? in
                guard texts[index] == "," || texts[index] == ".", Self.isGroup(at: index, of: texts) else { return nil }
                let other = parts.characters[word.lowerBound + index].rivals.first?.logRatio
                return NumberSeparator(
                    word: number,
                    character: index,
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

/// How a frame writes its numbers: whether commas or points part thousands.
///
/// A single comma is a few pixels more than a point, and a recognizer that takes one for the other changes a number by a factor
/// of a thousand. The other numbers of the frame show which is meant.
private struct NumberStyle {
    /// Separators that were read as commas and as points, by how sure each is.
    private var commas: Float = 0
    private var points: Float = 0

    /// Fewer separators show nothing.
    private static let least: Float = 3
    /// What is counted for either before any is seen.
    private static let prior: Float = 0.25

    /// Counts a separator, or takes it back.
    mutating func count(_ separator: NumberSeparator, isOther: Bool, times sign: Float = 1) {
        // Its own probability against that of the other, p / (p + q) with q = p exp(r).
        let sure = isOther ? sign : sign / (1 + exp(separator.otherLogRatio))
        if separator.isComma != isOther { self.commas += sure } else { self.points += sure }
    }

    /// Whether a separator that is not counted is more likely the other one.
    func isOther(_ separator: NumberSeparator) -> Bool {
        guard self.commas + self.points >= Self.least else { return false }
        let (same, other) = separator.isComma ? (self.commas, self.points) : (self.points, self.commas)
        return separator.otherLogRatio + log((other + Self.prior) / (max(0, same) + Self.prior)) > 0
    }
}

/// Writes the separators of a frame's numbers alike.
enum NumberFormat {
    /// What is decided in a round counts in the next one.
    private static let rounds = 3

    /// The lines with separators as the frame's other numbers have them, where their pixels leave it open.
    static func applied(to lines: [AssembledLine?]) -> [TextLine?] {
        let separators = lines.map { $0?.separators ?? [] }
        guard separators.contains(where: { !$0.isEmpty }) else { return lines.map { $0?.line } }
        let others = Self.others(among: separators.flatMap(\.self))
        var start = 0
        return zip(lines, separators).map { line, separators in
            defer { start += separators.count }
            let changed = separators.indices.filter { others[start + $0] }.map { separators[$0] }
            return changed.isEmpty ? line?.line : line?.line.replacing(changed)
        }
    }

    /// For each separator whether it is the other one.
    private static func others(among separators: [NumberSeparator]) -> [Bool] {
        var others = separators.map { _ in false }
        var style = NumberStyle()
        for separator in separators { style.count(separator, isOther: false) }
        for _ in 0..<Self.rounds {
            for (index, separator) in separators.enumerated() {
                style.count(separator, isOther: others[index], times: -1)
                others[index] = style.isOther(separator)
                style.count(separator, isOther: others[index])
            }
        }
        return others
    }
}

extension TextLine {
    /// The line with the other one in the place of some separators.
    fileprivate func replacing(_ separators: [NumberSeparator]) -> TextLine {
        var line = self
        for separator in separators {
            let text = separator.isComma ? "." : ","
            var characters = Array(line.words[separator.word].text)
            guard characters.indices.contains(separator.character) else { continue }
            characters[separator.character] = Character(text)
            line.words[separator.word].text = String(characters)
            if line.words[separator.word].characters.indices.contains(separator.character) {
                line.words[separator.word].characters[separator.character].text = text
            }
        }
        line.text = TextLine.text(of: line.words)
        if !line.candidates.isEmpty { line.candidates[0].text = line.text }
        return line
    }
}
