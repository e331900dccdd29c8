/// Spaces by words: where gaps and recognizer leave open whether a word ends, the words of a dictionary decide.
///
/// A line is split so that the sum of the log-odds of its spaces and of the evidence of its words is largest. Takes the
/// classes of a line's characters.
struct WordSpacing {
    /// Chosen on drawn lines and public pictures (accuracy log, *Spaces and the words of the dictionary*).
    private enum Tuning {
        /// Log-odds of a space, or against one, from which a gap is not open; also the most evidence of a word.
        static let maxLogOdds: Float = 3
        /// Evidence of a word is the number of its letters less these: strings of three letters are words by chance.
        static let chanceLetters: Float = 2.5
        /// Least excess over the usual gap, in character heights, of one that the dictionary makes a space.
        ///
        /// Of long and inflected words that it lacks, the parts often are words.
        static let minGap: Float = 0.14
        /// Least log-odds of the recognizer for such a space.
        static let minSpaceLogOdds: Float = -4
    }

    private let labels: [Int]
    private let dictionary: WordDictionary

    /// Creates the spacing of characters by their classes.
    init(_ labels: [Int], _ dictionary: WordDictionary) {
        self.labels = labels
        self.dictionary = dictionary
    }

    /// Decides the open gaps of a line.
    ///
    /// - Parameters:
    ///   - odds: The log-odds of a space behind each character but the last.
    ///   - excess: By how much each gap is wider than the usual one.
    ///   - spaces: The recognizer's log-odds of a space before each character.
    func apply(to odds: inout [Float], excess: [Float], spaces: [Float]) {
        let open = Set(
            odds.indices.filter { self.isOpen($0, odds: odds[$0], excess: excess[$0], space: spaces[$0 + 1]) }
        )
        guard !open.isEmpty else { return }
        let starts = self.wordStarts(odds, open: open)
        for gap in open { odds[gap] = starts.contains(gap + 1) ? Tuning.maxLogOdds : -Tuning.maxLogOdds }
    }

    /// Whether the gap behind a character is open: between two letters, and not clear.
    private func isOpen(_ index: Int, odds: Float, excess: Float, space: Float) -> Bool {
        guard abs(odds) < Tuning.maxLogOdds, self.dictionary.isLetter(self.labels[index]),
            self.dictionary.isLetter(self.labels[index + 1])
        else { return false }
        return odds > 0 || excess > Tuning.minGap && space > Tuning.minSpaceLogOdds
    }

    /// Returns the indices of the characters that begin a word in the best split of the line.
    private func wordStarts(_ odds: [Float], open: Set<Int>) -> Set<Int> {
        let cuts = [0] + odds.indices.filter { odds[$0] > 0 || open.contains($0) }.map { $0 + 1 } + [self.labels.count]
        // The best split up to each cut, and the start of its last word.
        var best: [(score: Float, start: Int)] = [(0, 0)]
        for end in 1..<cuts.count {
            var last = (score: -Float.infinity, start: 0)
            for start in (0..<end).reversed() {
                let score = best[start].score + self.evidence(of: cuts[start]..<cuts[end])
                if score > last.score { last = (score, start) }
                // No word contains a clear space.
                if !open.contains(cuts[start] - 1) { break }
            }
            let space = cuts[end] < self.labels.count ? odds[cuts[end] - 1] : 0
            best.append((last.score + space, last.start))
        }
        var starts: Set<Int> = []
        var end = cuts.count - 1
        while end > 0 {
            end = best[end].start
            starts.insert(cuts[end])
        }
        return starts
    }

    /// Returns the evidence that characters are one word; 0 unless they are one of the dictionary, with marks around it.
    private func evidence(of range: Range<Int>) -> Float {
        let isLetter = { self.dictionary.isLetter(self.labels[$0]) }
        guard let first = range.first(where: isLetter), let last = range.last(where: isLetter) else { return 0 }
        let word = Array(self.labels[first...last])
        return self.dictionary.contains(word) ? min(Tuning.maxLogOdds, Float(word.count) - Tuning.chanceLetters) : 0
    }
}
