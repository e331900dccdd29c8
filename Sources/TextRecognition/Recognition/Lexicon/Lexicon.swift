internal import Glibc
internal import TextModel

/// Lexicon of the words that a client expects, encoded in a recognizer's classes.
///
/// It replaces words of a reading by close ones that the network's probabilities allow. Characters are in pixels of the
/// rectified line, words in indices of characters.
struct Lexicon {
    /// Classes of each word.
    let words: [[Int]]
    /// Classes of all words.
    let labels: Set<Int>
    private let known: Set<[Int]>
    private let wordsByCount: [Int: [[Int]]]

    private enum Tuning {
        /// Most times that a word may be less probable than the reading it replaces.
        ///
        /// Found on 60 scenes and 12 forms at `fast`: 0.483 → 0.569 and 0.665 → 0.698 with the true words expected (accuracy
        /// log, *Custom words*, which has 10 to 10,000).
        static let margin: Float = 1000
        /// Characters for each edit that is allowed beyond the first; not measured.
        static let charactersPerEdit = 8
    }

    /// Creates the lexicon of the words that `alphabet` can write in its allowed classes.
    init(_ words: [String], in alphabet: Alphabet, allowed: ClassMask?) {
        let characters = Set(words.joined().map(String.init))
        var labels: [String: Int] = [:]
        for character in characters { labels[character] = alphabet.label(of: character) }
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
        self.wordsByCount = Dictionary(grouping: self.words, by: \.count)
    }

    /// Whether a reading is one of the words.
    func contains(_ read: [Int]) -> Bool { self.known.contains(read) }

    /// Returns the words of some number of characters.
    func words(ofCount count: Int) -> [[Int]] { self.wordsByCount[count] ?? [] }

    /// Returns the words that are similar to a reading.
    func words(near read: [Int]) -> [[Int]] { self.words.filter { Self.areClose($0, read) } }

    /// Least log-probability of a word in the place of a reading with another one.
    static func minLogProbability(against read: Float) -> Float { read - logf(Tuning.margin) }

    /// Returns the word with the best alignment score in the place of a reading.
    ///
    /// - Parameters:
    ///   - read: The classes of the reading.
    ///   - steps: The time steps of the reading.
    ///   - alignment: Aligns the lexicon's words and the reading.
    /// - Returns: The word's characters; `nil` where the reading is a word of the lexicon, or no word is close.
    private func correction(of read: [Int], in steps: Range<Int>, _ alignment: ForcedAlignment) -> [CTCCharacter]? {
        guard !self.contains(read) else { return nil }
        var best: [Int]?
        var least = Self.minLogProbability(against: alignment.logProbability(of: read, in: steps))
        // The edit distance is far cheaper than an alignment, and leaves few words to align.
        for word in self.words where Self.areClose(word, read) {
            let probability = alignment.logProbability(of: word, in: steps)
            if probability >= least { (least, best) = (probability, word) }
        }
        return best.flatMap { alignment.characters(of: $0, in: steps) }
    }

    /// Whether the edit distance (Levenshtein) of two words is small enough for an alignment.
    private static func areClose(_ word: [Int], _ read: [Int]) -> Bool {
        let limit = 1 + max(word.count, read.count) / Tuning.charactersPerEdit
        guard abs(word.count - read.count) <= limit else { return false }
        return word.editDistance(to: read, limit: limit) <= limit
    }
}

extension Lexicon {
    /// Corrects the words of a line.
    ///
    /// - Parameters:
    ///   - characters: Those of the reading, without spaces.
    ///   - words: The ranges of characters that are words.
    ///   - alphabet: The alphabet of the characters.
    ///   - alignment: The forced alignment of the line.
    /// - Returns: The characters and the ranges of the words; `nil` where nothing is corrected.
    func corrected(
        _ characters: [CTCCharacter],
        words: [Range<Int>],
        alphabet: Alphabet,
        alignment: ForcedAlignment
    ) -> (characters: [CTCCharacter], words: [Range<Int>])? {
        var corrected: [CTCCharacter] = []
        var ranges: [Range<Int>] = []
        var isCorrected = false
        for word in words {
            let start = corrected.count
            if let (range, replacement) = self.correction(of: word, in: characters, alphabet: alphabet, alignment) {
                corrected += characters[word.lowerBound..<range.lowerBound] + replacement
                corrected += characters[range.upperBound..<word.upperBound]
                isCorrected = true
            } else {
                corrected += characters[word]
            }
            ranges.append(start..<corrected.count)
        }
        return isCorrected ? (corrected, ranges) : nil
    }

    /// Corrects a word, or the rest of it without the punctuation around it.
    private func correction(
        of word: Range<Int>,
        in characters: [CTCCharacter],
        alphabet: Alphabet,
        _ alignment: ForcedAlignment
    ) -> (range: Range<Int>, characters: [CTCCharacter])? {
        func isAlphanumeric(_ index: Int) -> Bool {
            alphabet.characters[characters[index].label].unicodeScalars.contains {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
        }
        var ranges = [word]
        if let first = word.first(where: isAlphanumeric), let last = word.last(where: isAlphanumeric) {
            let bare = first..<last + 1
            if bare != word { ranges.append(bare) }
            if self.contains(characters[bare].map(\.label)) { return nil }
        }
        for range in ranges {
            let steps = Self.steps(of: range, in: characters, alignment)
            if let replacement = self.correction(of: characters[range].map(\.label), in: steps, alignment) {
                return (range, replacement)
            }
        }
        return nil
    }

    /// Returns the time steps of a range of characters, up to halfway to the neighbouring ones.
    private static func steps(
        of range: Range<Int>,
        in characters: [CTCCharacter],
        _ alignment: ForcedAlignment
    ) -> Range<Int> {
        func boundary(before index: Int) -> Int {
            let centre = (characters[index - 1].centre + characters[index].centre) / 2
            return max(0, min(alignment.stepCount, Int((centre / alignment.pixelsPerStep).rounded())))
        }
        let first = range.lowerBound > 0 ? boundary(before: range.lowerBound) : 0
        let last = range.upperBound < characters.count ? boundary(before: range.upperBound) : alignment.stepCount
        return first..<max(first, last)
    }
}
