extension Int {
    /// Number of things in words: `1 frame`, `2 frames`.
    ///
    /// - Parameter noun: The noun in the singular, whose plural ends in s.
    /// - Returns: The number and the noun.
    package func counted(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
