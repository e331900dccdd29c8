internal import TextModel

/// Characters of a line, in logical order, that are written one behind another in one direction.
///
/// In a line that runs left, numbers and words of other scripts run right (Unicode Standard Annex 9).
struct DirectionRun: Equatable {
    /// Places of the characters among those of the line.
    var indices: [Int]
    /// Whether they are written from the right to the left.
    let runsLeft: Bool

    /// Returns the runs of a line: one of all characters that run as the line does, and one of each word's that run against it.
    ///
    /// - Parameter words: The characters of each word.
    /// - Returns: The runs, the line's first.
    static func runs(of words: [[String]]) -> [DirectionRun] {
        let runsLeft = Script.most(of: words.joined().joined())?.runsLeft ?? false
        var line = DirectionRun(indices: [], runsLeft: runsLeft)
        var others: [DirectionRun] = []
        var start = 0
        for word in words {
            var isAgainst = false
            for (offset, runsRight) in Self.runsRight(in: word).enumerated() {
                let index = start + offset
                if !(runsLeft && runsRight) {
                    line.indices.append(index)
                } else if isAgainst {
                    others[others.count - 1].indices.append(index)
                } else {
                    others.append(DirectionRun(indices: [index], runsLeft: false))
                }
                isAgainst = runsLeft && runsRight
            }
            start += word.count
        }
        return [line] + others
    }

    /// Whether each character of a word runs right in a line that runs left; signs between two that do so do, too.
    private static func runsRight(in word: [String]) -> [Bool] {
        let directions = word.map(Self.runsRight)
        return directions.indices.map { index in
            directions[index]
                ?? (directions[..<index].compactMap(\.self).last == true
                    && directions[index...].compactMap(\.self).first == true)
        }
    }

    /// Whether a character runs right: digits and most letters; `nil` for signs, which run as those beside them.
    private static func runsRight(_ character: String) -> Bool? {
        guard let scalar = character.unicodeScalars.first(where: { $0.properties.isAlphabetic }) else {
            return character.contains(where: \.isNumber) ? true : nil
        }
        return Script(scalar)?.runsLeft != true
    }
}
