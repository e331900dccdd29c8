internal import TextModel

/// Spelling of names that a person types.
enum Spelling {
    /// The largest share of a name's letters that may differ.
    private static let maxDifferingShare = 0.4
    /// The longest name that is compared.
    private static let maxLength = 64

    /// The name that is most like `name`, in whatever case; `nil` if none is alike.
    static func nearest(to name: String, among names: [String]) -> String? {
        let letters = Array(name.lowercased().unicodeScalars.prefix(Self.maxLength))
        let distances = names.map { ($0, letters.editDistance(to: Array($0.lowercased().unicodeScalars))) }
        guard let nearest = distances.min(by: { $0.1 < $1.1 }) else { return nil }
        return Double(nearest.1) <= Self.maxDifferingShare * Double(letters.count) ? nearest.0 : nil
    }
}
