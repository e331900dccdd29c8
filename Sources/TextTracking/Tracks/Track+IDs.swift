internal import TextModel

extension Track {
    /// Words in the latest frame with their ids.
    var numberedWords: [WordIDs.Word] { zip(self.line.words, self.wordIDs).map { (word: $0, id: $1) } }

    /// Words that an edge of the frame truncated when they were read, in the latest frame with their ids.
    var truncatedWords: [WordIDs.Word] {
        zip(self.best.words, self.numberedWords).filter { word, _ in self.isTruncated(word) }.map(\.1)
    }

    /// Inherits ids for the words that have none, and removes them from the candidates.
    ///
    /// - Parameters:
    ///   - candidates: Words that may be the same; the first group with a match counts.
    ///   - displacement: The displacement of words that move by themselves.
    mutating func inheritIDs(
        from candidates: inout [WordIDs.Candidates],
        displacement: Point = Point(x: 0, y: 0)
    ) {
        let words = self.line.words
        if self.wordIDs.isEmpty { self.wordIDs = words.map { _ in WordIDs.none } }
        for group in candidates {
            let free = group.words.filter { !self.wordIDs.contains($0.id) }
            let due = words.indices.filter { self.wordIDs[$0] == WordIDs.none }
            let inherited = WordIDs.inherited(
                by: due.map { words[$0] },
                from: free,
                minSimilarity: group.minSimilarity,
                converged: self.vote.isSure ? group.converged : [],
                displacement: group.mayMove ? displacement : Point(x: 0, y: 0)
            )
            for (word, id) in zip(due, inherited) { self.wordIDs[word] = id }
        }
        for group in candidates.indices { candidates[group].words.removeAll { self.wordIDs.contains($0.id) } }
        if self.state == .new, self.wordIDs.contains(where: { $0 != WordIDs.none }) { self.state = .read }
    }
}

extension [Track] {
    /// Tracks that the latest frame lost.
    var lost: [Track] { self.filter { $0.status == .lost } }

    /// Ids of words that the picture before a still camera no longer shows as they were, though their readings had converged.
    var convergedIDs: Set<UInt64> { Set(self.filter(\.hasConvergedAndChanged).flatMap(\.wordIDs)) }

    /// Gives each word without an id that of a lost word in its place, or the next one.
    ///
    /// Words of tentative tracks get ids once they are reported, so that they are new then.
    ///
    /// - Parameters:
    ///   - buffer: The lost words.
    ///   - hidden: The ids of words that have left the frame, which are not lost.
    ///   - converged: The ids of words that the frame has ended, unless their readings are sections of the new ones.
    ///   - time: The time of the frame.
    ///   - next: The next id.
    mutating func assignIDs(
        from buffer: ReidentificationBuffer,
        excluding hidden: [UInt64],
        converged: Set<UInt64>,
        at time: Duration,
        next: inout UInt64
    ) {
        let due = self.indices.filter { !self[$0].isTentative && self[$0].wordIDs.contains(WordIDs.none) }
        guard !due.isEmpty else { return }
        var candidates = buffer.candidates(excluding: Set(self.flatMap(\.wordIDs) + hidden), at: time)
        for group in candidates.indices { candidates[group].converged = converged }
        for index in due {
            self[index].inheritIDs(from: &candidates)
            for word in self[index].wordIDs.indices where self[index].wordIDs[word] == WordIDs.none {
                self[index].wordIDs[word] = next
                next += 1
            }
        }
    }

    /// Marks new tracks of single characters as tentative, but for those in the places of lost text.
    ///
    /// When a camera moves, marks and parts of rules are detected in regions of the frame, and look like 一 or 口 there; a full
    /// scan does not detect them (streams log, *Noise, single characters and duplicated words*).
    ///
    /// - Parameters:
    ///   - lost: The lost tracks.
    ///   - besideText: Whether a character in line with other text, as in a ticker, is no mark either.
    mutating func holdCharacters(exceptInPlacesOf lost: [Track], orBesideText besideText: Bool) {
        let due = self.indices.filter { self[$0].state == .new && self[$0].isCharacters }
        let text = besideText ? self.removing(Set(due)).filter { !$0.isTentative } + lost : []
        for index in due {
            let track = self[index]
            self[index].isTentative =
                !lost.contains { $0.place.intersectionArea(with: track.place) > 0 }
                && !text.contains { $0.isBeside(track) }
        }
    }

    /// Tracks without those at some indices.
    func removing(_ indices: Set<Int>) -> [Track] {
        self.indices.filter { !indices.contains($0) }.map { self[$0] }
    }
}
