/// Set of the alphabet's classes that may be decoded.
struct ClassMask: Sendable {
    /// Allowed classes in ascending order, without the blank, which always is.
    let labels: [Int]
    /// Classes of other letters, each with the allowed class of its base letter, for which it counts.
    let foldings: [Folding]

    /// Class that counts for another one.
    struct Folding {
        let label: Int
        let base: Int
    }

    /// Creates the set of some classes, in ascending order, and of those that count for them.
    init(labels: [Int], foldings: [Folding] = []) { (self.labels, self.foldings) = (labels, foldings) }

    /// Returns the allowed classes among a network's first `count`.
    func labels(below count: Int) -> ArraySlice<Int> {
        guard let last = self.labels.last, last >= count else { return self.labels[...] }
        var (low, high) = (0, self.labels.count)
        while low < high {
            let middle = (low + high) / 2
            if self.labels[middle] < count { low = middle + 1 } else { high = middle }
        }
        return self.labels[..<low]
    }
}
