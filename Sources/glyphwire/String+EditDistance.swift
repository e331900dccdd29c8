extension String {
    /// Number of single-character insertions, deletions and substitutions that lead to `other` (Levenshtein distance).
    func editDistance(to other: String) -> Int {
        let others = Array(other)
        var row = Array(0...others.count)
        for (index, character) in self.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in others.indices {
                let substitution = diagonal + (character == others[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(substitution, diagonal + 1, row[column] + 1)
            }
        }
        return row[others.count]
    }

    /// The one of `candidates` that this text probably is a misspelling of; `nil` if it resembles none.
    func nearest(of candidates: [String]) -> String? {
        let nearest = candidates.map { ($0, self.editDistance(to: $0)) }.min { $0.1 < $1.1 }
        // More than every third character wrong is another word.
        return nearest.flatMap { $0.1 <= Swift.max(self.count / 3, 1) ? $0.0 : nil }
    }
}
