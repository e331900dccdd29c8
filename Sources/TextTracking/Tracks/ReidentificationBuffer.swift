internal import TextModel
internal import TextRecognition

/// Words that were reported and are gone for a while: one that comes back in its place is the same word.
///
/// What an edge of the frame cuts off, and what is hardly legible, comes and goes as a camera shakes. To remember for a while
/// what was lost is usual in the tracking of objects (Zhang et al., ByteTrack, 2022).
struct ReidentificationBuffer {
    /// What the latest frame reported, and what frames before it reported and it did not, both without their characters and where they
    /// would be in the latest frame.
    private var reported: [WordIDs.Word] = []
    private var lost: [(word: TextWord, id: UInt64, at: Duration)] = []

    /// How long a word is remembered.
    private static let longest: Duration = .seconds(10)
    /// No more words are remembered, and none that was lost before them.
    static let most = 256

    /// The words that may come back.
    ///
    /// - Parameters:
    ///   - ids: Those of words that are not gone, reported or not.
    ///   - time: When the latest frame was taken.
    /// - Returns: The other ones with their numbers.
    func source(without ids: Set<UInt64>, at time: Duration) -> WordIDs.Source {
        let lost = self.lost.filter { time - $0.at <= Self.longest && !ids.contains($0.id) }
        return WordIDs.Source(words: lost.map { (word: $0.word, id: $0.id) }, leastLikeness: .alike)
    }

    /// The camera moved.
    mutating func move(by motion: Affine) {
        for index in self.reported.indices { self.reported[index].word.box = motion(self.reported[index].word.box) }
        for index in self.lost.indices { self.lost[index].word.box = motion(self.lost[index].word.box) }
    }

    /// Takes the report of the frame at `time`.
    mutating func report(_ words: [TextWord], at time: Duration) {
        let ids = Set(words.compactMap(\.id))
        self.lost += self.reported.map { (word: $0.word, id: $0.id, at: time) }
        self.lost.removeAll { ids.contains($0.id) || time - $0.at > Self.longest }
        self.lost.removeFirst(max(0, self.lost.count - Self.most))
        self.reported = words.compactMap { word in
            guard let id = word.id else { return nil }
            var word = word
            word.characters = []
            return (word, id)
        }
    }
}
