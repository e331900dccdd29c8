internal import TextModel
internal import TextRecognition

/// Association of the words of a frame with those of an earlier one, from which they inherit ids.
enum WordIDs {
    /// Word and its id.
    typealias Word = (word: TextWord, id: UInt64)

    private enum Tuning {
        /// Least intersection over union of the boxes of one word.
        ///
        /// More left 1.31 instead of 1.26 ids a word (streams log, *Re-identifying words that were misread*).
        static let minOverlap: Float = 0.2
        /// Least share of the smaller of two padded boxes that lies in the larger, for identical readings; chosen by eye.
        static let minContainedShare: Float = 0.5
    }

    /// Candidates of the association: words with ids that may be inherited.
    struct Candidates {
        var words: [Word]
        /// Least similarity of the readings.
        let minSimilarity: WordSimilarity
        /// Whether the words may have moved by themselves, such as those of a ticker or of credits.
        var mayMove = false
        /// Ids of converged words, which a sure reading of another word in their places ends, however similar it is.
        var converged: Set<UInt64> = []
    }

    /// Placeholder of an id that is yet to be assigned.
    static let none: UInt64 = 0

    /// Ids of words, each that of the earlier word in its place, or ``none``.
    ///
    /// The assignment is greedy: identical readings come first, then similar ones, then those with more overlap. A word that
    /// is split in two goes on in one of them.
    ///
    /// - Parameters:
    ///   - words: The words of the latest frame.
    ///   - old: The earlier words with their ids, one of which may have several readings; none is used twice.
    ///   - minSimilarity: The least similarity of the readings.
    ///   - converged: The ids of earlier words of which the readings must be sections at least.
    ///   - displacement: The displacement of the earlier words since; words in their old places are matched after those that
    ///     moved.
    /// - Returns: An id for each word.
    static func inherited(
        by words: [TextWord],
        from old: [Word],
        minSimilarity: WordSimilarity,
        converged: Set<UInt64> = [],
        displacement: Point = Point(x: 0, y: 0)
    ) -> [UInt64] {
        var ids = words.map { _ in Self.none }
        var taken: Set = [Self.none]
        func assign(_ pairs: [Pair]) {
            for pair in pairs where ids[pair.new] == Self.none && !taken.contains(old[pair.old].id) {
                if pair.similarity < .section, converged.contains(old[pair.old].id) { continue }
                ids[pair.new] = old[pair.old].id
                taken.insert(old[pair.old].id)
            }
        }
        assign(Self.pairs(of: words, with: old.map { $0.word.moved(by: displacement) }, minSimilarity: minSimilarity))
        if displacement != Point(x: 0, y: 0) {
            assign(Self.pairs(of: words, with: old.map(\.word), minSimilarity: max(.similar, minSimilarity)))
        }
        return ids
    }

    private struct Pair {
        var new: Int
        var old: Int
        var similarity: WordSimilarity
        var overlap: Float
    }

    /// Pairs of words in one place, the best first.
    private static func pairs(of words: [TextWord], with old: [TextWord], minSimilarity: WordSimilarity) -> [Pair] {
        var pairs: [Pair] = []
        // Most words lie apart, which bounding boxes show without clipping quads.
        let places = old.map { Box(around: $0.box.padded, margin: 0) }
        let texts = Set(words.map(\.text))
        for (new, word) in words.enumerated() {
            let place = Box(around: word.box.padded, margin: 0)
            for (index, old) in old.enumerated() where place.touches(places[index]) {
                guard let (similarity, overlap) = Self.match(word, old), similarity >= minSimilarity else { continue }
                // An earlier word that the line still has has moved elsewhere.
                if similarity == .different, texts.contains(old.text) { continue }
                pairs.append(Pair(new: new, old: index, similarity: similarity, overlap: overlap))
            }
        }
        return pairs.sorted { ($0.similarity, $0.overlap) > ($1.similarity, $1.overlap) }
    }

    /// Match of two words in one place: similarity and overlap; `nil` where they lie apart.
    ///
    /// The box of a narrow word varies by more than its width on a restless ground, so identical readings may lie within a
    /// square around it.
    static func match(_ word: TextWord, _ old: TextWord) -> (similarity: WordSimilarity, overlap: Float)? {
        let overlap = word.box.intersectionOverUnion(with: old.box)
        if word.text == old.text {
            let (new, old) = (word.box.padded, old.box.padded)
            let shared = new.intersectionArea(with: old)
            let isContained = shared > Tuning.minContainedShare * min(new.area, old.area)
            let isMatch = overlap > Tuning.minOverlap || isContained
            return isMatch ? (.identical, shared / max(new.area, old.area, 1)) : nil
        }
        return overlap > Tuning.minOverlap ? (WordSimilarity(word.text, old.text), overlap) : nil
    }
}

extension WordIDs.Candidates {
    /// Candidates from the words of tracks.
    init(_ tracks: [Track], minSimilarity: WordSimilarity, mayMove: Bool = false) {
        self.init(
            words: tracks.flatMap(\.numberedWords),
            minSimilarity: minSimilarity,
            mayMove: mayMove,
            converged: tracks.convergedIDs
        )
    }
}

extension Quad {
    /// Box padded to be at least as wide as it is high.
    var padded: Quad {
        let (along, across) = (self.width, self.height)
        guard along > 0, along < across else { return self }
        let margin = (across / along - 1) / 2
        return self.section(-margin...1 + margin)
    }
}

extension TextWord {
    /// Word moved by a displacement.
    func moved(by displacement: Point) -> TextWord {
        guard displacement != Point(x: 0, y: 0) else { return self }
        var word = self
        word.box = word.box.mapCorners { Point(x: $0.x + displacement.x, y: $0.y + displacement.y) }
        return word
    }
}
