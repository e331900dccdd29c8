/// Spelling of names that a person types.
enum Spelling {
    /// The largest share of a name's letters that may differ.
    private static let maxDifferingShare = 0.4
    /// The longest name that is compared.
    private static let maxLength = 64

    /// The name that is most like `name`, in whatever case; `nil` if none is alike.
    static func nearest(to name: String, among names: [String]) -> String? {
        let letters = Array(name.lowercased().unicodeScalars.prefix(Self.maxLength))
        let distances = names.map { ($0, Self.distance(letters, Array($0.lowercased().unicodeScalars))) }
        guard let nearest = distances.min(by: { $0.1 < $1.1 }) else { return nil }
        return Double(nearest.1) <= Self.maxDifferingShare * Double(letters.count) ? nearest.0 : nil
    }

    /// The Levenshtein distance: insertions, deletions and substitutions that make `a` into `b`.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var row = Array(0...b.count)
        for (i, scalar) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let substituted = diagonal + (scalar == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
