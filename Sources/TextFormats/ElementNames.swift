/// Names for the elements of one page, each different from all others of its document.
struct ElementNames {
    /// Of the page.
    let number: Int
    private var counts: [String: Int] = [:]

    /// The names of page `number`, of which none is given yet.
    init(page number: Int) { self.number = number }

    /// The name of the next element of a kind, such as `line_2_7` for the seventh line of page 2.
    mutating func next(_ kind: String) -> String {
        let count = self.counts[kind, default: 0] + 1
        self.counts[kind] = count
        return "\(kind)_\(self.number)_\(count)"
    }
}
