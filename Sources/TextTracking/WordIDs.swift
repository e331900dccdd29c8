internal import GlyphwireProtocol
internal import TextEngine

/// Hands the numbers of words on.
enum WordIDs {
    /// A word and its number.
    typealias Word = (word: TextWord, id: UInt64)

    /// Words whose numbers may be handed on.
    struct Source {
        var words: [Word]
        /// Only to a word whose text agrees so much.
        let leastLikeness: WordLikeness
    }

    /// A number that is yet to be given.
    static let none: UInt64 = 0

    /// The numbers of `words`, each that of the old word in its place, or ``none``.
    ///
    /// Where several come into question, those that say the same are the same word, then those that say much the same, then
    /// those that share most: a word that is told as two goes on in one of them.
    ///
    /// - Parameters:
    ///   - words: The words that stand there now.
    ///   - old: Those that stood there, each with its number; none is used twice.
    ///   - leastLikeness: How much the texts of both must agree.
    /// - Returns: A number for each word.
    static func inherited(by words: [TextWord], from old: [Word], leastLikeness: WordLikeness) -> [UInt64] {
        var pairs: [(new: Int, old: Int, likeness: WordLikeness, overlap: Float)] = []
        // Most of them lie elsewhere, which these tell without the corners of both for each pair.
        let places = old.map { Box(around: $0.word.box, margin: 0) }
        for (new, word) in words.enumerated() {
            let place = Box(around: word.box, margin: 0)
            for (index, old) in old.enumerated() where old.id != Self.none && place.touches(places[index]) {
                let overlap = word.box.overlap(with: old.word.box)
                guard overlap > Self.leastOverlap else { continue }
                let likeness = WordLikeness(word.text, old.word.text)
                if likeness >= leastLikeness { pairs.append((new, index, likeness, overlap)) }
            }
        }
        pairs.sort { ($0.likeness, $0.overlap) > ($1.likeness, $1.overlap) }
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
    init(_ tracks: [Track], leastLikeness: WordLikeness) {
        self.init(words: tracks.flatMap(\.numberedWords), leastLikeness: leastLikeness)
    }
}
