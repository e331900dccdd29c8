internal import Glibc
internal import TextModel

/// Number format of a frame: corrects ambiguous separators by those of its other numbers.
///
/// A comma is a few pixels more than a full stop, and one taken for the other changes a number by a factor of a thousand.
enum NumberFormat {
    /// Passes over all separators, each of which uses the decisions of the one before; not measured.
    private static let passes = 3

    /// Returns the lines with separators as the frame's other numbers have them, where their pixels leave it open.
    static func applied(to lines: [AssembledLine?]) -> [TextLine?] {
        var decisions = lines.map { ($0?.separators ?? []).map { SeparatorDecision(separator: $0) } }
        guard decisions.contains(where: { !$0.isEmpty }) else { return lines.map { $0?.line } }
        Self.decide(&decisions)
        return zip(lines, decisions).map { line, decisions in
            let changed = decisions.filter(\.isOther).map(\.separator)
            return changed.isEmpty ? line?.line : line?.line.replacing(changed)
        }
    }

    /// Decides the separators of each line by all others.
    private static func decide(_ decisions: inout [[SeparatorDecision]]) {
        var style = NumberStyle()
        for decision in decisions.joined() { style.count(decision) }
        for _ in 0..<Self.passes {
            for line in decisions.indices {
                for index in decisions[line].indices {
                    // A separator has no vote in its own decision.
                    style.count(decisions[line][index], times: -1)
                    decisions[line][index].isOther = style.prefersOther(decisions[line][index].separator)
                    style.count(decisions[line][index])
                }
            }
        }
    }
}

/// Decision whether a separator is the other one.
private struct SeparatorDecision {
    let separator: NumberSeparator
    var isOther = false
}

/// Separator style of a frame: whether commas or full stops separate thousands.
private struct NumberStyle {
    /// Sum of the probabilities of separators decided as commas.
    private var commas: Float = 0
    /// Sum of the probabilities of separators decided as full stops.
    private var points: Float = 0

    /// Chosen by hand; not measured.
    private enum Tuning {
        /// Least separators that show a style.
        static let minCount: Float = 3
        /// Count of either separator before any is seen.
        static let prior: Float = 0.25
    }

    /// Counts a separator, or with -1 takes it back.
    mutating func count(_ decision: SeparatorDecision, times sign: Float = 1) {
        let separator = decision.separator
        // Its own probability against that of the other, p / (p + q) with q = p exp(r).
        let probability = decision.isOther ? sign : sign / (1 + exp(separator.otherLogRatio))
        if separator.isComma != decision.isOther { self.commas += probability } else { self.points += probability }
    }

    /// Whether a separator that is not counted is more likely the other one.
    func prefersOther(_ separator: NumberSeparator) -> Bool {
        guard self.commas + self.points >= Tuning.minCount else { return false }
        let (same, other) = separator.isComma ? (self.commas, self.points) : (self.points, self.commas)
        return separator.otherLogRatio + log((other + Tuning.prior) / (max(0, same) + Tuning.prior)) > 0
    }
}

extension TextLine {
    /// Returns the line with separators replaced by the other one.
    fileprivate func replacing(_ separators: [NumberSeparator]) -> TextLine {
        var line = self
        for separator in separators {
            let (own, other) = separator.isComma ? (",", ".") : (".", ",")
            var word = line.words[separator.word]
            var characters = Array(word.text)
            // Where the reader of a language replaced letters before it, it has moved.
            guard characters.indices.contains(separator.position), characters[separator.position] == Character(own)
            else { continue }
            characters[separator.position] = Character(other)
            word.text = String(characters)
            if word.characters.indices.contains(separator.character) {
                word.characters[separator.character].text = other
            }
            line.words[separator.word] = word
        }
        line.takeTextOfWords()
        return line
    }
}
