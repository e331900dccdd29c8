/// Slugs of names, of which no two are the same: "Tür 1" and "T-r 1" are two.
struct UniqueSlugs: Sendable {
    private var slugs: [String: String] = [:]

    /// Returns the slug of a name, which is the same each time.
    ///
    /// - Parameter name: The name.
    /// - Returns: Letters, digits and underscores; a number is appended where another name has that slug.
    mutating func slug(of name: String) -> String {
        if let slug = self.slugs[name] { return slug }
        let first = Self.slug(name)
        let others = Set(self.slugs.values)
        var slug = first
        var number = 1
        while others.contains(slug) {
            number += 1
            slug = "\(first)_\(number)"
        }
        self.slugs[name] = slug
        return slug
    }

    /// Forgets all names but these, whose slugs stay as they are.
    mutating func keep(_ names: some Sequence<String>) {
        let names = Set(names)
        self.slugs = self.slugs.filter { names.contains($0.key) }
    }

    /// Name as a level of a topic, and as an identifier of Home Assistant: letters, digits and underscores.
    static func slug(_ name: String) -> String {
        String(name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
