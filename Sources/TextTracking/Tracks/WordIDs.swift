internal import TextModel
internal import TextRecognition

/// Matches the words of a frame with those of an earlier one, whose ids they inherit.
enum WordIDs {
    /// A word and its id.
    typealias Word = (word: TextWord, id: UInt64)

    /// Words whose ids may be inherited.
    struct Source {
        var words: [Word]
        /// How much the texts of both words must agree.
        let leastLikeness: WordLikeness
        /// Whether the words may have moved by themselves, such as those of a ticker or of credits.
        var mayMove = false
    }

    /// An id that is yet to be assigned.
    static let none: UInt64 = 0

    /// The ids of `words`, each that of the old word in its place, or ``none``.
    ///
    /// Where several are candidates, those that say the same are the same word, then those that say much the same, then
    /// those that share most: a word that is read as two goes on in one of them.
    ///
    /// - Parameters:
    ///   - words: The words that stand there now.
    ///   - old: Those that stood there, each with its id; none is used twice.
    ///   - leastLikeness: How much the texts of both must agree.
    ///   - displacement: By how much the old words have moved since; those that have not are matched in their place after
    ///     those that have.
    /// - Returns: An id for each word.
    static func inherited(
        by words: [TextWord],
        from old: [Word],
        leastLikeness: WordLikeness,
        displacement: Point = Point(x: 0, y: 0)
    ) -> [UInt64] {
        var ids = words.map { _ in Self.none }
        var isTaken = old.map { $0.id == Self.none }
        func match(_ pairs: [Pair]) {
            for pair in pairs where ids[pair.new] == Self.none && !isTaken[pair.old] {
                ids[pair.new] = old[pair.old].id
                isTaken[pair.old] = true
            }
        }
        match(Self.pairs(of: words, with: old.map { $0.word.moved(by: displacement) }, leastLikeness: leastLikeness))
        if displacement != Point(x: 0, y: 0) {
            match(Self.pairs(of: words, with: old.map(\.word), leastLikeness: max(.alike, leastLikeness)))
        }
        return ids
    }

    private struct Pair {
        var new: Int
        var old: Int
        var likeness: WordLikeness
        var overlap: Float
    }

    /// Words in one place, the best matches first.
    private static func pairs(of words: [TextWord], with old: [TextWord], leastLikeness: WordLikeness) -> [Pair] {
        var pairs: [Pair] = []
        // Most of them lie elsewhere, which these show without the corners of both for each pair.
        let places = old.map { Box(around: $0.box.padded, margin: 0) }
        let texts = Set(words.map(\.text))
        for (new, word) in words.enumerated() {
            let place = Box(around: word.box.padded, margin: 0)
            for (index, old) in old.enumerated() where place.touches(places[index]) {
                guard let (likeness, overlap) = Self.match(word, old), likeness >= leastLikeness else { continue }
                // What still says so in the line went elsewhere.
                if likeness == .other, texts.contains(old.text) { continue }
                pairs.append(Pair(new: new, old: index, likeness: likeness, overlap: overlap))
            }
        }
        return pairs.sorted { ($0.likeness, $0.overlap) > ($1.likeness, $1.overlap) }
    }

    /// How much two words agree that are in one place; `nil` where they are not.
    ///
    /// The box of a narrow word wobbles by more than its width where the ground is restless: what says the same may lie
    /// within a square around it.
    static func match(_ word: TextWord, _ old: TextWord) -> (likeness: WordLikeness, overlap: Float)? {
        let overlap = word.box.intersectionOverUnion(with: old.box)
        if word.text == old.text {
            let (new, old) = (word.box.padded, old.box.padded)
            let shared = new.intersectionArea(with: old)
            let isWithin = shared > Self.leastContained * min(new.area, old.area)
            return overlap > Self.leastOverlap || isWithin ? (.same, shared / max(new.area, old.area, 1)) : nil
        }
        return overlap > Self.leastOverlap ? (WordLikeness(word.text, old.text), overlap) : nil
    }

    /// What boxes of one word share at least.
    private static let leastOverlap: Float = 0.2
    /// How much of the smaller of two padded boxes lies in the larger at least, where both words say the same.
    private static let leastContained: Float = 0.5
}

extension WordIDs.Source {
    /// The words of `tracks`.
    init(_ tracks: [Track], leastLikeness: WordLikeness, mayMove: Bool = false) {
        self.init(words: tracks.flatMap(\.numberedWords), leastLikeness: leastLikeness, mayMove: mayMove)
    }
}

extension Quad {
    /// The box, at least as wide as it is high.
    fileprivate var padded: Quad {
        let (along, across) = (self.width, self.height)
        guard along > 0, along < across else { return self }
        let margin = (across / along - 1) / 2
        return self.section(-margin...1 + margin)
    }
}

extension TextWord {
    /// The word in another place.
    func moved(by shift: Point) -> TextWord {
        guard shift != Point(x: 0, y: 0) else { return self }
        var word = self
        word.box = word.box.mapCorners { Point(x: $0.x + shift.x, y: $0.y + shift.y) }
        return word
    }
}
