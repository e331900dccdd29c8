internal import Glibc

/// Corrector of misread words by a dictionary, which the network's probabilities have to allow.
///
/// A recognizer sees a few letters around a character and no word. Tokens that are no words are therefore searched for other
/// readings (``CTCBeamSearch``), and the most probable one that is a word is taken if it is nearly as probable. Takes the
/// probabilities of a line's time steps and its characters with centres in pixels of the rectified line.
struct WordCorrector {
    private enum Tuning {
        /// Most times that a word may be less probable than what was read.
        ///
        /// With 55, `fast` reads 0.573 → 0.586 of the words of streets, with 150 it is 0.589, but 0.001 less of those of pages
        /// (accuracy log, *Words of dictionaries*).
        static let margin: Float = 55
        /// Least characters of what was read.
        static let minLength = 3
        /// Most characters of what was read: two more than a word has.
        static let maxLength = 14
        /// Most of them that are digits.
        static let maxDigits = 1
        /// Least letters of a word in its place; most strings of three letters are a word of some language.
        static let minWordLength = 4
        /// Readings that are searched; not measured alone.
        static let readingCount = 10
    }

    /// Marks between the parts of a compound word.
    private static let joiners: Set = ["-", "'", "’"]

    /// Token of a line.
    private struct Token {
        /// Indices of its letters and digits in the line's characters.
        let range: Range<Int>
        /// Columns up to the spaces or marks beside it.
        let columns: Range<Float>
    }

    private let dictionary: WordDictionary
    private let expected: Lexicon?
    private let line: RecognizedLine
    private let pixelsPerStep: Float
    private let tokens: [Token]

    /// Creates the corrector of a line; `nil` if all its tokens are words, numbers or codes.
    ///
    /// - Parameters:
    ///   - line: The line as it was read.
    ///   - dictionary: The words, in the line's alphabet.
    ///   - expected: The words that a client expects, which stay, and come before those of the dictionary; `nil` for none.
    ///   - pixelsPerStep: The pixels of the rectified line for each time step.
    init?(_ line: RecognizedLine, _ dictionary: WordDictionary, expected: Lexicon?, pixelsPerStep: Float) {
        let tokens = Self.tokens(of: line, dictionary, expected)
        guard !tokens.isEmpty else { return nil }
        self.dictionary = dictionary
        self.expected = expected
        self.line = line
        self.pixelsPerStep = pixelsPerStep
        self.tokens = tokens
    }

    /// Returns the corrections of a line's tokens.
    ///
    /// - Parameters:
    ///   - probabilities: Those of all classes, step by step.
    ///   - allowed: The classes that may be read; `nil` for all.
    /// - Returns: The corrections, of tokens for which there is one.
    func corrections(of probabilities: ModelOutput<Float>, allowed: ClassMask?) -> [WordCorrection] {
        let (stepCount, classCount) = (probabilities.shape[0], probabilities.shape[1])
        return self.tokens.compactMap { token in
            let first = Int((token.columns.lowerBound / self.pixelsPerStep).rounded(.down))
            let end = Int(min(Float(stepCount), (token.columns.upperBound / self.pixelsPerStep).rounded(.up)))
            guard first < end else { return nil }
            let values = UnsafeBufferPointer(rebasing: probabilities.values[first * classCount..<end * classCount])
            let output = ModelOutput(values: values, shape: [end - first, classCount])
            return self.characters(of: token, output, allowed).map { characters in
                WordCorrection(range: token.range, characters: characters.map { self.placed($0, firstStep: first) })
            }
        }
    }

    /// Returns the word in the place of a token, its centres from the token's first step; `nil` if none is nearly as probable.
    private func characters(of token: Token, _ output: ModelOutput<Float>, _ allowed: ClassMask?) -> [CTCCharacter]? {
        let read = self.line.characters[token.range].map(\.label)
        let words = self.words(near: read, output, allowed)
        guard !words.isEmpty else { return nil }
        let expected = self.expected?.words(near: read) ?? []
        let steps = 0..<output.shape[0]
        let alignment = ForcedAlignment(
            output.values,
            stepCount: steps.count,
            classCount: output.shape[1],
            labels: Set((words + expected + [read]).joined()),
            space: self.line.alphabet.space,
            pixelsPerStep: self.pixelsPerStep
        )
        func score(_ word: [Int]) -> Float { alignment.logProbability(of: word, in: steps) }
        let readScore = score(read)
        let isExpected = expected.contains { score($0) >= Lexicon.minLogProbability(against: readScore) }
        guard !isExpected, let best = words.map({ (word: $0, score: score($0)) }).max(by: { $0.score < $1.score }),
            best.score >= readScore - logf(Tuning.margin),
            let characters = alignment.characters(of: best.word, in: steps)
        else { return nil }
        let probability = 1 / (1 + expf(readScore - best.score))
        return best.word.count < read.count
            ? Self.uncertain(characters, read: read, probability: probability)
            : characters
    }

    /// Returns a word's characters, of which the one beside a letter that was left out is at most as certain as the word.
    ///
    /// All others are as clear as they were, and would hide what is uncertain.
    private static func uncertain(_ characters: [CTCCharacter], read: [Int], probability: Float) -> [CTCCharacter] {
        let same = zip(characters, read).prefix { $0.label == $1 }.count
        var uncertain = characters
        let place = min(same, characters.count - 1)
        uncertain[place].confidence = min(uncertain[place].confidence, probability)
        return uncertain
    }

    /// Returns the words among the most probable readings that may replace what was read.
    private func words(near read: [Int], _ output: ModelOutput<Float>, _ allowed: ClassMask?) -> [[Int]] {
        guard let values = output.values.baseAddress else { return [] }
        return CTCBeamSearch.readings(
            values,
            stepCount: output.shape[0],
            classCount: output.shape[1],
            allowed: self.dictionary.mask,
            count: Tuning.readingCount
        ).map(\.labels).filter { word in
            word.count >= Tuning.minWordLength && self.dictionary.contains(word)
                && word.allSatisfy { allowed?.contains($0) ?? true } && !self.dictionary.isSame(word, as: read)
        }
    }

    /// Returns a character with its centre in the line, whose network may emit the last characters in the margin behind it.
    private func placed(_ character: CTCCharacter, firstStep: Int) -> CTCCharacter {
        var placed = character
        placed.centre = min(character.centre + Float(firstStep) * self.pixelsPerStep, Float(self.line.width) - 0.5)
        return placed
    }
}

extension WordCorrector {
    /// Returns the tokens that may be misread words: letters, with a digit among them at most, which are no word.
    private static func tokens(of line: RecognizedLine, _ dictionary: WordDictionary, _ expected: Lexicon?) -> [Token] {
        line.characters.indices.split { line.alphabet.isSpace(line.characters[$0].label) }
            .flatMap { Self.compounds(of: $0, in: line, dictionary) }
            .filter { range in
                let labels = line.characters[range].map(\.label)
                return Self.mayBeMisread(labels, dictionary) && expected?.contains(labels) != true
            }
            .map { Token(range: $0, columns: Self.columns(of: $0, in: line)) }
    }

    /// Returns the parts between hyphens and apostrophes of what is between spaces; none if it has other marks inside.
    private static func compounds(
        of part: Range<Int>,
        in line: RecognizedLine,
        _ dictionary: WordDictionary
    ) -> [Range<Int>] {
        func isAlphanumeric(_ index: Int) -> Bool {
            let label = line.characters[index].label
            return dictionary.isLetter(label) || line.alphabet.isDigit(label)
        }
        func isJoiner(_ index: Int) -> Bool {
            Self.joiners.contains(line.alphabet.characters[line.characters[index].label])
        }
        guard let first = part.first(where: isAlphanumeric), let last = part.last(where: isAlphanumeric),
            (first...last).allSatisfy({ isAlphanumeric($0) || isJoiner($0) })
        else { return [] }
        return (first..<last + 1).split(whereSeparator: isJoiner).map { $0 }
    }

    /// Whether letters and digits may be a misread word.
    ///
    /// A word with a digit in front or behind is a name with a number, such as *gate8*.
    private static func mayBeMisread(_ labels: [Int], _ dictionary: WordDictionary) -> Bool {
        guard labels.count >= Tuning.minLength, labels.count <= Tuning.maxLength,
            labels.count(where: { !dictionary.isLetter($0) }) <= Tuning.maxDigits
        else { return false }
        let letters = labels.drop { !dictionary.isLetter($0) }
        let end = letters.lastIndex(where: dictionary.isLetter).map { $0 + 1 } ?? letters.startIndex
        return !dictionary.containsInAnyCase(Array(letters[..<end]))
    }

    /// Returns the columns of a token: up to the centre of a space beside it, or halfway to another character.
    private static func columns(of range: Range<Int>, in line: RecognizedLine) -> Range<Float> {
        func boundary(_ outer: Int, _ inner: Int) -> Float {
            let (outer, inner) = (line.characters[outer], line.characters[inner])
            return line.alphabet.isSpace(outer.label) ? outer.centre : (outer.centre + inner.centre) / 2
        }
        let start = range.lowerBound > 0 ? boundary(range.lowerBound - 1, range.lowerBound) : 0
        let end =
            range.upperBound < line.characters.count ? boundary(range.upperBound, range.upperBound - 1) : .infinity
        return start..<max(start, end)
    }
}
