internal import TextModel
internal import TextRecognition

/// Re-identification buffer: lost words, which keep their ids if they come back in their places.
///
/// What an edge of the frame truncates, and what is hardly legible, comes and goes as a camera shakes. Lost tracks are
/// commonly kept for a while in multi-object tracking (Zhang et al., ByteTrack, 2022).
struct ReidentificationBuffer {
    /// Largest number of lost words, of which the oldest are dropped; chosen by eye.
    static let capacity = 256
    /// Time for which a lost word is kept, and a line that has left the frame.
    ///
    /// On seven hand-held streets, 10 s left 1.16 ids a word, 2 s 1.26 (streams log, *Re-identifying words that were misread*).
    static let retention: Duration = .seconds(10)

    private enum Tuning {
        /// Readings of a word that are remembered: the edge of the frame truncates a ticker differently with each step.
        static let maxReadings = 2
    }

    /// Reported word.
    fileprivate struct Entry {
        /// Word without its characters, where it is in the latest frame if it moves with the camera.
        var word: TextWord
        let id: UInt64
        /// Box in the frame that reported it last, where it still is if it stands over the picture.
        let overlayBox: Quad
        /// Time of the first frame that did not report it.
        var lostAt: Duration?

        /// Word of a frame; `nil` for one without an id.
        init?(_ word: TextWord) {
            guard let id = word.id else { return nil }
            (self.word, self.id, self.overlayBox) = (word, id, word.box)
            self.word.characters = []
        }

        /// Word in its old place.
        var overlay: TextWord {
            var word = self.word
            word.box = self.overlayBox
            return word
        }
    }

    /// Words that the latest frame reported.
    private var reported: [Entry] = []
    /// Words that earlier frames reported and the latest did not, or read as another text.
    private var lost: [Entry] = []

    /// Candidates for re-identification: words in their places in the scene, then the same words in their places in the frame.
    ///
    /// A word of the latest recorded frame without a track was lost in the present one, and may be found again in it.
    ///
    /// - Parameters:
    ///   - ids: The ids of words that are tracked, reported or not.
    ///   - time: The time of the present frame.
    /// - Returns: The words with other ids that were reported last, or lost.
    func candidates(excluding ids: Set<UInt64>, at time: Duration) -> [WordIDs.Candidates] {
        let lost = self.lost.filter { time - ($0.lostAt ?? time) <= Self.retention }
        let entries = (self.reported + lost).filter { !ids.contains($0.id) }
        return [
            WordIDs.Candidates(words: entries.map { ($0.word, $0.id) }, minSimilarity: .similar),
            WordIDs.Candidates(words: entries.map { ($0.overlay, $0.id) }, minSimilarity: .identical),
        ]
    }

    /// Moves all words with the camera.
    mutating func move(by motion: Affine) {
        for index in self.reported.indices { self.reported[index].word.box = motion(self.reported[index].word.box) }
        for index in self.lost.indices { self.lost[index].word.box = motion(self.lost[index].word.box) }
    }

    /// Records the words that the frame at `time` reports.
    ///
    /// What a word was read as before is lost too: two words that are read as one for a moment keep their ids.
    mutating func record(_ words: [TextWord], at time: Duration) {
        let entries = words.compactMap(Entry.init)
        for index in self.reported.indices { self.reported[index].lostAt = time }
        self.lost.removeAll(in: self.reported)
        self.lost += self.reported
        self.lost.removeAll(in: entries)
        self.lost.removeAll { time - ($0.lostAt ?? time) > Self.retention }
        self.reported = entries
        self.trim()
    }

    /// Keeps the latest lost words, and the latest readings of each.
    private mutating func trim() {
        guard !self.lost.isEmpty else { return }
        let reported = Set(self.reported.map(\.id))
        var counts: [UInt64: Int] = [:]
        var lostCount = 0
        self.lost = self.lost.reversed().filter { entry in
            let count = counts[entry.id, default: 0]
            if count == 0, !reported.contains(entry.id) { lostCount += 1 }
            counts[entry.id] = count + 1
            return count < Tuning.maxReadings && (reported.contains(entry.id) || lostCount <= Self.capacity)
        }.reversed()
    }
}

extension [ReidentificationBuffer.Entry] {
    /// Removes the words that others repeat with their texts.
    fileprivate mutating func removeAll(in others: [Element]) {
        // Mostly nothing is lost, and a page has a thousand words in each frame.
        guard !self.isEmpty else { return }
        let texts = Dictionary(others.map { ($0.id, $0.word.text) }) { first, _ in first }
        self.removeAll { texts[$0.id] == $0.word.text }
    }
}
