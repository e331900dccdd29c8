internal import TextModel

/// Similarity of two readings of a word.
enum WordSimilarity: Int, Comparable {
    /// Readings of two words.
    case different
    /// Readings with equal digits that differ by few letters, or of which one contains the other.
    ///
    /// A truncation, a blur or an uncertain letter makes one of the other. A clock that goes on is another word.
    case similar
    /// Similar readings of which one is a section of the other: a word that is cut off, or typed.
    case section
    /// Equal readings.
    case identical

    /// Bounds within which readings are similar.
    ///
    /// With them, 16 hand-held streets had 1.06 to 1.21 ids a word instead of 1.38 to 1.40 (streams log, *Re-identifying words
    /// that were misread*).
    private enum Tuning {
        /// Largest share of the longer reading that is edited: one letter of this number.
        static let editDivisor = 3
        /// Longest reading that may contain the other, as a ratio to its length.
        static let maxLengthRatio = 2
    }

    /// Compares two readings.
    init(_ a: String, _ b: String) {
        if a == b {
            self = .identical
        } else if a.filter(\.isWholeNumber) == b.filter(\.isWholeNumber), Self.isSimilar(Array(a), Array(b)) {
            self = a.contains(b) || b.contains(a) ? .section : .similar
        } else {
            self = .different
        }
    }

    static func < (a: WordSimilarity, b: WordSimilarity) -> Bool { a.rawValue < b.rawValue }

    private static func isSimilar(_ a: [Character], _ b: [Character]) -> Bool {
        let (shorter, longer) = (min(a.count, b.count), max(a.count, b.count))
        let distance = a.editDistance(to: b)
        // A part of the other reading differs from it by the rest alone.
        return Tuning.editDivisor * distance <= longer
            || distance == longer - shorter && Tuning.maxLengthRatio * shorter >= longer
    }
}
