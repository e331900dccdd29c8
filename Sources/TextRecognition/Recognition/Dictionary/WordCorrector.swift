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
    ///   - stepCount: The number of time steps.
    ///   - classCount: The number of the network's classes.
    ///   - allowed: The classes that may be read; `nil` for all.
    /// - Returns: The corrections, of tokens for which there is one.
    func corrections(
        _ probabilities: UnsafePointer<Float>,
        stepCount: Int,
        classCount: Int,
        allowed: ClassMask?
    ) -> [WordCorrection] {
        let permitted = allowed.map { Set($0.labels) }
        return self.tokens.compactMap { token in
            let first = Int((token.columns.lowerBound / self.pixelsPerStep).rounded(.down))
            let end = Int(min(Float(stepCount), (token.columns.upperBound / self.pixelsPerStep).rounded(.up)))
            guard first < end else { return nil }
            let values = UnsafeBufferPointer(
                start: probabilities + first * classCount,
                count: (end - first) * classCount
            )
            return self.correction(of: token, values, classCount: classCount, firstStep: first) { word in
                permitted?.isSuperset(of: word) ?? true
            }
        }
    }

    /// Returns the correction of a token; `nil` if no word is nearly as probable.
    private func correction(
        of token: Token,
        _ probabilities: UnsafeBufferPointer<Float>,
        classCount: Int,
        firstStep: Int,
        isAllowed: ([Int]) -> Bool
    ) -> WordCorrection? {
        guard let values = probabilities.baseAddress else { return nil }
        let stepCount = probabilities.count / classCount
        let read = self.line.characters[token.range].map(\.label)
        let words = CTCBeamSearch.readings(
            values,
            stepCount: stepCount,
            classCount: classCount,
            allowed: self.dictionary.mask,
            count: Tuning.readingCount
        ).map(\.labels).filter { word in
            word.count >= Tuning.minWordLength && self.dictionary.contains(word) && isAllowed(word)
                && !self.dictionary.isSame(word, as: read)
        }
        guard !words.isEmpty else { return nil }
        let expected = self.expected?.words(near: read) ?? []
        let alignment = ForcedAlignment(
            probabilities,
            stepCount: stepCount,
            classCount: classCount,
            labels: Set((words + expected + [read]).joined()),
            space: self.line.alphabet.space,
            pixelsPerStep: self.pixelsPerStep
        )
        func score(_ word: [Int]) -> Float { alignment.logProbability(of: word, in: 0..<stepCount) }
        let readScore = score(read)
        let isExpected = expected.contains { score($0) >= Lexicon.minLogProbability(against: readScore) }
        guard !isExpected, let best = words.map({ (word: $0, score: score($0)) }).max(by: { $0.score < $1.score }),
            best.score >= readScore - logf(Tuning.margin),
            var characters = alignment.characters(of: best.word, in: 0..<stepCount)
        else { return nil }
        for index in characters.indices {
            let centre = characters[index].centre + Float(firstStep) * self.pixelsPerStep
            characters[index].centre = min(centre, Float(self.line.width) - 0.5)
        }
        return WordCorrection(range: token.range, characters: characters)
    }
}

extension WordCorrector {
    /// Returns the tokens that may be misread words: letters, with a digit among them at most, which are no word.
    private static func tokens(of line: RecognizedLine, _ dictionary: WordDictionary, _ expected: Lexicon?) -> [Token] {
        func isLetter(_ index: Int) -> Bool { dictionary.isLetter(line.characters[index].label) }
        func isAlphanumeric(_ index: Int) -> Bool {
            isLetter(index) || line.alphabet.isDigit(line.characters[index].label)
        }
        let parts = line.characters.indices.split { line.alphabet.isSpace(line.characters[$0].label) }
        return parts.compactMap { part in
            guard let first = part.first(where: isAlphanumeric), let last = part.last(where: isAlphanumeric) else {
                return nil
            }
            let range = first..<last + 1
            let labels = line.characters[range].map(\.label)
            let letterCount = range.count(where: isLetter)
            guard range.count >= Tuning.minLength, range.count <= Tuning.maxLength, range.allSatisfy(isAlphanumeric),
                letterCount >= range.count - Tuning.maxDigits,
                !dictionary.containsInAnyCase(labels), expected?.contains(labels) != true
            else { return nil }
            return Token(range: range, columns: Self.columns(of: range, in: line))
        }
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
