internal import Glibc

/// Resolver of confusable characters, such as O and 0, by context and shape.
///
/// A recognizer sees a few letters around a character and no token. All readings of a token of letters and digits are
/// therefore scored by the recognizer's log-ratios, the likelihood of the token (``TokenModel``) and the shapes of its
/// characters. Takes and gives characters of the rectified line; heights are in its pixels.
struct ConfusableResolver {
    /// Shape of a character in the foreground mask.
    struct Shape {
        /// Height of its box in pixels of the rectified line.
        let height: Float
        /// Foreground share of the middle ninth of its box, measured for zeros and look-alikes; else 0.
        let centreForeground: Float
    }

    /// Character of the line as it was recognized, with its shape.
    struct Glyph {
        let recognized: CTCCharacter
        let text: Character
        let shape: Shape
    }

    /// Chosen on rendered lines in 112 typefaces.
    ///
    /// With the word gaps `fast` reads 0.914 → 0.934 of their words (accuracy log, *Look-alike characters*).
    private enum Tuning {
        /// Least log-ratio of an alternative to the recognized character.
        ///
        /// The log-ratio is -1 to -7 for wrong characters in words, and below -8 for right ones in numbers.
        static let minLogRatio: Float = -8
        /// The same for rings in a line whose zeros have a dot or a stroke.
        static let minMarkedLogRatio: Float = -12
        /// Most characters of a token that are resolved, the least certain ones; bounds the number of readings.
        static let maxOpen = 5
        /// End of the code points of Latin letters: Basic Latin to Latin Extended-B.
        static let latinEnd: UInt32 = 0x250
    }

    private let alphabet: Alphabet
    private let glyphs: [Glyph]
    private let zeros: ZeroStyle
    private let capitalHeight: Float?

    /// Creates a resolver for a line.
    ///
    /// - Parameters:
    ///   - characters: Those of the line.
    ///   - alphabet: The alphabet of the characters.
    ///   - shapes: The shape of each character.
    init(_ characters: [CTCCharacter], alphabet: Alphabet, shapes: [Shape]) {
        let glyphs = zip(characters, shapes).map { character, shape in
            Glyph(recognized: character, text: alphabet.characters[character.label].first ?? " ", shape: shape)
        }
        self.alphabet = alphabet
        self.glyphs = glyphs
        self.zeros = ZeroStyle(glyphs)
        self.capitalHeight = LetterHeights.medianCapital(glyphs.map { ($0.text, $0.shape.height) })
    }

    /// Replaces confusable characters of words where another reading is likelier.
    ///
    /// - Parameters:
    ///   - characters: Those of the line.
    ///   - words: The ranges of them that make up words.
    func resolve(_ characters: inout [CTCCharacter], words: [Range<Int>]) {
        for token in words.flatMap(self.tokens(of:)) { self.resolve(&characters, token: token) }
    }

    private func resolve(_ characters: inout [CTCCharacter], token: Range<Int>) {
        let open = self.openPlaces(in: token, of: characters)
        guard !open.isEmpty else { return }
        var text = self.glyphs[token].map(\.text)
        var best = (score: -Float.infinity, choice: [Int]())
        var second = -Float.infinity
        self.forEachChoice(of: open.map(\.readings.count)) { choice in
            var score: Float = 0
            for (place, reading) in zip(open, choice) {
                text[place.index - token.lowerBound] = place.readings[reading].text
                score += place.readings[reading].score
            }
            score += TokenModel.logLikelihood(of: text)
            if score > best.score {
                (second, best) = (best.score, (score, choice))
            } else {
                second = max(second, score)
            }
        }
        let margin = best.score - second
        for (place, reading) in zip(open, best.choice) {
            place.readings[reading].replace(&characters[place.index], margin: margin)
        }
    }

    /// Calls `body` with each choice of one index below each count.
    private func forEachChoice(of counts: [Int], _ body: ([Int]) -> Void) {
        var choice = counts.map { _ in 0 }
        while true {
            body(choice)
            // Counts up as a number does whose digits are the choices.
            guard let place = choice.indices.first(where: { choice[$0] + 1 < counts[$0] }) else { return }
            choice[place] += 1
            for earlier in 0..<place { choice[earlier] = 0 }
        }
    }
}

extension ConfusableResolver {
    /// Open character of a token, with its readings, the recognized one first.
    private struct Place {
        let index: Int
        let readings: [Reading]

        /// Score of its best alternative.
        var alternativeScore: Float { self.readings.dropFirst().map(\.score).max() ?? 0 }
    }

    private struct Reading {
        let text: Character
        let label: Int
        /// Log-ratio to the recognized character, plus the log-odds of its shape.
        let score: Float
        let isRecognized: Bool

        /// Replaces a character; `margin` is the log-likelihood of the token over its second-best reading's.
        func replace(_ character: inout CTCCharacter, margin: Float) {
            guard !self.isRecognized else { return }
            character.label = self.label
            // The logistic of the margin is the probability that the replacement is right.
            character.confidence *= 1 / (1 + expf(-margin))
            character.alternatives = []
        }
    }

    /// Returns the open characters of a token, the least certain ones where there are too many.
    private func openPlaces(in token: Range<Int>, of characters: [CTCCharacter]) -> [Place] {
        let places = token.compactMap { index -> Place? in
            let text = self.glyphs[index].text
            let recognized = Reading(
                text: text,
                label: characters[index].label,
                score: self.shapeLogOdds(of: text, at: index, logRatio: 0),
                isRecognized: true
            )
            let others = characters[index].alternatives.compactMap { self.reading($0, at: index) }
            return others.isEmpty ? nil : Place(index: index, readings: [recognized] + others)
        }
        guard places.count > Tuning.maxOpen else { return places }
        return places.sorted { $0.alternativeScore > $1.alternativeScore }.prefix(Tuning.maxOpen)
            .sorted { $0.index < $1.index }
    }

    private func reading(_ alternative: CTCCharacter.Alternative, at index: Int) -> Reading? {
        guard let text = self.alphabet.characters[alternative.label].first, Self.isLatin(text) else { return nil }
        let isDecidedByMark = self.zeros.hasMark && ZeroStyle.isRing(String(text))
        let minLogRatio = isDecidedByMark ? Tuning.minMarkedLogRatio : Tuning.minLogRatio
        guard alternative.logRatio >= minLogRatio else { return nil }
        let odds = self.shapeLogOdds(of: text, at: index, logRatio: alternative.logRatio)
        return Reading(text: text, label: alternative.label, score: alternative.logRatio + odds, isRecognized: false)
    }

    /// Returns the log-odds of a reading by the character's shape.
    private func shapeLogOdds(of text: Character, at index: Int, logRatio: Float) -> Float {
        let glyph = self.glyphs[index]
        var odds = self.zeros.logOdds(of: text, logRatio: logRatio, recognized: glyph)
        if let capitalHeight = self.capitalHeight {
            odds += LetterHeights.logOdds(of: text, height: glyph.shape.height / capitalHeight)
        }
        return odds
    }

    /// Returns the tokens of a word: its runs of Latin letters and digits.
    private func tokens(of word: Range<Int>) -> [Range<Int>] {
        word.split { !Self.isLatin(self.glyphs[$0].text) }.compactMap { run in
            run.first.map { $0..<$0 + run.count }
        }
    }

    /// Whether a character is a Latin letter or a digit; Han and kana stand beside them without a space.
    private static func isLatin(_ text: Character) -> Bool {
        (text.isLetter || text.isWholeNumber) && text.unicodeScalars.allSatisfy { $0.value < Tuning.latinEnd }
    }
}
