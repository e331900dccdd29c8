/// How much two readings of a word agree.
enum WordLikeness: Int, Comparable {
    /// They are of two words, as far as they show.
    case other
    /// They differ by a few letters, or one is a part of the other, and they show the same digits: an edge of the frame, a blur
    /// or an uncertain letter makes one of the other. A clock that goes on is another word.
    case alike
    case same

    /// Compares two readings.
    init(_ a: String, _ b: String) {
        if a == b {
            self = .same
        } else if a.filter(\.isWholeNumber) == b.filter(\.isWholeNumber), Self.isAlike(Array(a), Array(b)) {
            self = .alike
        } else {
            self = .other
        }
    }

    static func < (a: WordLikeness, b: WordLikeness) -> Bool { a.rawValue < b.rawValue }

    private static func isAlike(_ a: [Character], _ b: [Character]) -> Bool {
        let (shorter, longer) = (min(a.count, b.count), max(a.count, b.count))
        let edits = Self.edits(from: a, to: b)
        // What is a part of the other differs from it by what the other has more.
        return 3 * edits <= longer || edits == longer - shorter && 2 * shorter >= longer
    }

    /// How many letters must be changed, put in or left out (Levenshtein, Binary codes capable of correcting deletions,
    /// insertions and reversals, 1966).
    private static func edits(from a: [Character], to b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let cost = min(diagonal + (letter == b[j] ? 0 : 1), row[j] + 1, row[j + 1] + 1)
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[b.count]
    }
}
