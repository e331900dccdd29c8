/// Generator of element names for one page, unique in the document.
struct ElementNames {
    /// Number of the page.
    let number: Int
    private var counts: [String: Int] = [:]

    /// Creates a generator for page `number`.
    init(page number: Int) { self.number = number }

    /// Returns the name of the next element of a kind, such as `line_2_7` for line 7 of page 2.
    mutating func next(_ kind: String) -> String {
        let count = self.counts[kind, default: 0] + 1
        self.counts[kind] = count
        return "\(kind)_\(self.number)_\(count)"
    }
}
