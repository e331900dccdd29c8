/// Spaces by words: where gaps and recognizer leave open whether a word ends, the words of a dictionary decide.
///
/// A line is split so that the sum of the log-odds of its spaces and of the evidence of its words is largest. It
/// leaves codes and addresses, and parts no word that a client expects. Takes the classes of a line's characters.
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
        /// Evidence of an expected word for each gap that it contains: no parts of it with spaces between have more.
        static let expectedGap = 3 * Self.maxLogOdds
    }

    /// Marks in addresses, paths and times of day.
    private static let addressMarks: Set = [".", "@", "/", "_", ":"]

    private let labels: [Int]
    private let alphabet: Alphabet
    private let dictionary: WordDictionary
    private let expected: Lexicon?

    /// Creates the spacing of characters by their classes.
    ///
    /// - Parameters:
    ///   - labels: The classes of the characters.
    ///   - alphabet: The alphabet of the classes.
    ///   - dictionary: The words that decide.
    ///   - expected: The words that are never parted; `nil` for none.
    init(_ labels: [Int], of alphabet: Alphabet, _ dictionary: WordDictionary, expected: Lexicon?) {
        self.labels = labels
        self.alphabet = alphabet
        self.dictionary = dictionary
        self.expected = expected
    }

    /// Decides the open gaps of a line.
    ///
    /// - Parameters:
    ///   - odds: The log-odds of a space behind each character but the last.
    ///   - excess: By how much each gap is wider than the usual one.
    ///   - spaces: The recognizer's log-odds of a space before each character.
    func apply(to odds: inout [Float], excess: [Float], spaces: [Float]) {
        var open = Set(
            odds.indices.filter { self.isOpen($0, odds: odds[$0], excess: excess[$0], space: spaces[$0 + 1]) }
        )
        for token in self.tokens(odds, open: open) where self.isCode(token, odds) { open.subtract(token) }
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

    /// Returns what stands between clear spaces and has open gaps.
    private func tokens(_ odds: [Float], open: Set<Int>) -> [Range<Int>] {
        guard !open.isEmpty else { return [] }
        let ends = odds.indices.filter { odds[$0] > 0 && !open.contains($0) }.map { $0 + 1 } + [self.labels.count]
        return zip([0] + ends, ends).map { $0..<$1 }.filter { $0.contains(where: open.contains) }
    }

    /// Whether a token is a code, an address or a name such as iPhone, marks around it aside.
    private func isCode(_ token: Range<Int>, _ odds: [Float]) -> Bool {
        let isWritten = { (index: Int) in self.alphabet.isLetter(self.labels[index]) }
        guard let first = token.first(where: isWritten), let last = token.last(where: isWritten) else { return false }
        return (first...last).contains { index in
            let label = self.labels[index]
            let isInnerCapital =
                index > first && odds[index - 1] <= 0 && self.dictionary.isCapital(label)
                && self.dictionary.isLetter(self.labels[index - 1])
                && !self.dictionary.isCapital(self.labels[index - 1])
            return isInnerCapital || self.alphabet.isDigit(label)
                || Self.addressMarks.contains(self.alphabet.characters[label])
        }
    }

    /// Returns the indices of the characters that begin a word in the best split of the line.
    private func wordStarts(_ odds: [Float], open: Set<Int>) -> Set<Int> {
        let cuts = [0] + odds.indices.filter { odds[$0] > 0 || open.contains($0) }.map { $0 + 1 } + [self.labels.count]
        /// Whether the gap before a character alone says that no space is there: words then stand on both sides of it.
        func isDoubtful(_ cut: Int) -> Bool { odds.indices.contains(cut - 1) && odds[cut - 1] < 0 }
        // The best split up to each cut, and the start of its last word.
        var best: [(score: Float, start: Int)] = [(0, 0)]
        for end in 1..<cuts.count {
            var last = (score: -Float.infinity, start: 0)
            let endsAtDoubt = isDoubtful(cuts[end])
            for start in (0..<end).reversed() {
                let evidence = self.evidence(of: cuts[start]..<cuts[end], gaps: end - start - 1)
                let score = best[start].score + evidence
                let isPossible = evidence > 0 || !endsAtDoubt && !isDoubtful(cuts[start])
                if isPossible, score > last.score { last = (score, start) }
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

    /// Returns the evidence that characters are one word; 0 unless they are a known one, with marks around it.
    ///
    /// - Parameters:
    ///   - range: The characters.
    ///   - gaps: The number of open gaps among them.
    /// - Returns: The evidence in log-odds.
    private func evidence(of range: Range<Int>, gaps: Int) -> Float {
        let isLetter = { self.dictionary.isLetter(self.labels[$0]) }
        guard let first = range.first(where: isLetter), let last = range.last(where: isLetter) else { return 0 }
        let word = self.labels[first...last]
        if gaps > 0, self.isExpected(word) { return Float(gaps) * Tuning.expectedGap }
        guard WordDictionary.lengths.contains(word.count), self.dictionary.contains(Array(word)) else { return 0 }
        return min(Tuning.maxLogOdds, Float(word.count) - Tuning.chanceLetters)
    }

    /// Whether the client expects a word, in whatever case.
    private func isExpected(_ word: ArraySlice<Int>) -> Bool {
        guard let words = self.expected?.words(ofCount: word.count), !words.isEmpty else { return false }
        let word = Array(word)
        return words.contains { $0 == word || self.dictionary.isSame($0, as: word) }
    }
}
