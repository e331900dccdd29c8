/// Spelling of names that a person types: options, variables, commands.
package enum Spelling {
    /// The longest name that is compared, so that the time stays short whatever a client sends.
    private static let maxLength = 64

    /// The one of `names` that `name` probably is a misspelling of, in whatever case; `nil` if none is near enough.
    ///
    /// A third of the letters may differ, as in Clang's correction of names (`LookupTypo`: `(length + 2) / 3`).
    package static func nearest(to name: String, among names: [String]) -> String? {
        let letters = Array(name.lowercased().unicodeScalars.prefix(Self.maxLength))
        let limit = (letters.count + 2) / 3
        let distances = names.map {
            (name: $0, distance: letters.editDistance(to: Array($0.lowercased().unicodeScalars), limit: limit))
        }
        return distances.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }
}
