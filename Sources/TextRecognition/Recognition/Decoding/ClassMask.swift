/// Set of the alphabet's classes that may be decoded.
struct ClassMask: Sendable {
    /// Allowed classes in ascending order, without the blank, which always is.
    let labels: [Int]

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
