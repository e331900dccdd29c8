extension Collection where Element: Equatable {
    /// Edit distance to `other`: the number of insertions, deletions and substitutions that lead to it.
    ///
    /// Levenshtein, Binary codes capable of correcting deletions, insertions and reversals (1966).
    ///
    /// - Parameters:
    ///   - other: The other sequence.
    ///   - limit: The largest distance that matters.
    /// - Returns: The distance, or a number above `limit` if it is larger than that.
    @inlinable
    package func editDistance(to other: some Collection<Element>, limit: Int = .max) -> Int {
        var row = Array(0...other.count)
        for (index, element) in self.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherElement) in other.enumerated() {
                let substituted = diagonal + (element == otherElement ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(substituted, row[column] + 1, diagonal + 1)
            }
            // The distance is at least the least number of every row.
            if let least = row.min(), least > limit { return least }
        }
        return row[other.count]
    }
}
