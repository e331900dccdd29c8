internal import GlyphwireProtocol
internal import TextEngine

/// Hands the numbers of words on.
enum WordIDs {
    /// A word and its number.
    typealias Word = (word: TextWord, id: UInt64)

    /// Words whose numbers may be handed on.
    struct Source {
        var words: [Word]
        /// Whether only to a word that says the same.
        let isSameText: Bool

    }

    /// A number that is yet to be given.
    static let none: UInt64 = 0

    /// The numbers of `words`, each that of the old word in its place, or ``none``.
    ///
    /// Where several come into question, those that say the same are the same word, then those that share most: a word that
    /// is told as two goes on in one of them.
    ///
    /// - Parameters:
    ///   - words: The words that stand there now.
    ///   - old: Those that stood there, each with its number; none is used twice.
    ///   - isSameText: Whether only a word that says the same counts.
    /// - Returns: A number for each word.
    static func inherited(by words: [TextWord], from old: [Word], isSameText: Bool) -> [UInt64] {
        var pairs: [(new: Int, old: Int, isSame: Bool, overlap: Float)] = []
        for (new, word) in words.enumerated() {
            for (index, old) in old.enumerated() where old.id != Self.none {
                let isSame = old.word.text == word.text
                guard isSame || !isSameText else { continue }
                let overlap = word.box.overlap(with: old.word.box)
                if overlap > Self.leastOverlap { pairs.append((new, index, isSame, overlap)) }
            }
        }
        pairs.sort { $0.isSame == $1.isSame ? $0.overlap > $1.overlap : $0.isSame }
        var ids = words.map { _ in Self.none }
        var isTaken = old.map { _ in false }
        for pair in pairs where ids[pair.new] == Self.none && !isTaken[pair.old] {
            ids[pair.new] = old[pair.old].id
            isTaken[pair.old] = true
        }
        return ids
    }

    /// What boxes of one word share at least.
    private static let leastOverlap: Float = 0.2
}

extension WordIDs.Source {
    /// The words of `tracks`.
    init(_ tracks: [Track], isSameText: Bool) {
        self.init(words: tracks.flatMap(\.numberedWords), isSameText: isSameText)
    }
}
