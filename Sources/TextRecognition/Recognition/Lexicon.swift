internal import Glibc

/// Words that a client expects, in the classes of a recogniser.
struct Lexicon {
    /// Each word as its classes.
    let words: [[Int]]
    /// Every class that a word has.
    let labels: Set<Int>
    private let known: Set<[Int]>

    /// How much less probable than what was read a word may be: one part in so many.
    static let margin: Float = 1000
    /// A word may differ from what was read by one letter, and by one more for each so many letters.
    private static let lettersPerDifference = 8

    /// The lexicon of `words` in the classes of `alphabet`, without those that hold classes that may not be read.
    init(_ words: [String], in alphabet: Alphabet, allowed: ClassMask?) {
        let wanted = Set(words.joined().map(String.init))
        var labels: [String: Int] = [:]
        for character in wanted { labels[character] = alphabet.label(of: character) }
        if let allowed {
            let set = Set(allowed.labels)
            labels = labels.filter { set.contains($0.value) }
        }
        self.words = words.compactMap { word in
            let encoded = word.compactMap { labels[String($0)] }
            return encoded.count == word.count ? encoded : nil
        }
        self.labels = Set(self.words.joined())
        self.known = Set(self.words)
    }

    /// The word that stands in the place of what was read, by the evidence of its steps.
    ///
    /// - Parameters:
    ///   - read: The classes that were read.
    ///   - steps: In which they were read.
    ///   - evidence: What the network says about these and the lexicon's classes.
    /// - Returns: The characters of a word of the lexicon; `nil` where what was read is such a word, or none is close.
    func correction(of read: [Int], in steps: Range<Int>, _ evidence: ForcedAlignment) -> [CTCCharacter]? {
        guard !self.known.contains(read) else { return nil }
        var best: [Int]?
        var least = evidence.logProbability(of: read, in: steps) - logf(Self.margin)
        for word in self.words where Self.areClose(word, read) {
            let probability = evidence.logProbability(of: word, in: steps)
            if probability >= least { (least, best) = (probability, word) }
        }
        return best.flatMap { evidence.characters(of: $0, in: steps) }
    }

    /// Whether so few letters differ, are missing or too many that a look at the evidence is worth while.
    private static func areClose(_ word: [Int], _ read: [Int]) -> Bool {
        let limit = 1 + max(word.count, read.count) / Self.lettersPerDifference
        guard abs(word.count - read.count) <= limit else { return false }
        var row = Array(0...read.count)
        for (i, label) in word.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in read.enumerated() {
                let substituted = diagonal + (label == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
            if row.min() ?? 0 > limit { return false }
        }
        return row[read.count] <= limit
    }
}

extension Lexicon {
    /// The letters of a line with those of the words that the lexicon corrects in their place.
    ///
    /// - Parameters:
    ///   - letters: As they were read, without spaces.
    ///   - words: The ranges of letters that are words.
    ///   - alphabet: What their classes say.
    ///   - evidence: What the network says about them.
    /// - Returns: The letters, and which of them are words; `nil` where nothing is corrected.
    func corrected(
        _ letters: [CTCCharacter],
        words: [Range<Int>],
        _ alphabet: Alphabet,
        _ evidence: ForcedAlignment
    ) -> (letters: [CTCCharacter], words: [Range<Int>])? {
        var corrected: [CTCCharacter] = []
        var ranges: [Range<Int>] = []
        var isCorrected = false
        for word in words {
            let start = corrected.count
            if let (part, characters) = self.correction(of: word, in: letters, alphabet, evidence) {
                corrected += letters[word.lowerBound..<part.lowerBound] + characters
                corrected += letters[part.upperBound..<word.upperBound]
                isCorrected = true
            } else {
                corrected += letters[word]
            }
            ranges.append(start..<corrected.count)
        }
        return isCorrected ? (corrected, ranges) : nil
    }

    /// Corrects a word, or what is left of it without the punctuation around it.
    private func correction(
        of word: Range<Int>,
        in letters: [CTCCharacter],
        _ alphabet: Alphabet,
        _ evidence: ForcedAlignment
    ) -> (part: Range<Int>, characters: [CTCCharacter])? {
        func isLetter(_ index: Int) -> Bool {
            alphabet.characters[letters[index].label].unicodeScalars.contains {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
        }
        var parts = [word]
        if let first = word.first(where: isLetter), let last = word.last(where: isLetter) {
            let bare = first..<last + 1
            if bare != word { parts.append(bare) }
            if self.known.contains(letters[bare].map(\.label)) { return nil }
        }
        for part in parts {
            let steps = Self.steps(of: part, in: letters, evidence)
            if let characters = self.correction(of: letters[part].map(\.label), in: steps, evidence) {
                return (part, characters)
            }
        }
        return nil
    }

    /// The steps of some letters of a line: half the way to their neighbours.
    private static func steps(of part: Range<Int>, in letters: [CTCCharacter], _ evidence: ForcedAlignment) -> Range<
        Int
    > {
        func middle(_ index: Int) -> Int {
            let centre = (letters[index - 1].centre + letters[index].centre) / 2
            return max(0, min(evidence.stepCount, Int((centre / evidence.pixelsPerStep).rounded())))
        }
        let first = part.lowerBound > 0 ? middle(part.lowerBound) : 0
        let last = part.upperBound < letters.count ? middle(part.upperBound) : evidence.stepCount
        return first..<max(first, last)
    }
}
