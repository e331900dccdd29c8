internal import Glibc

/// Decides between characters that look alike, such as O and 0, by the other characters of their run and by their shape.
///
/// A recognizer sees a few letters around a character and no token. Where it is not sure, all readings of a run of letters and
/// digits are compared: by the recognizer's log-odds, by how likely such a run is in print (``TokenModel``), and by what the ink
/// shows of each character.
struct ConfusableResolver {
    /// What the ink of a character shows.
    struct Shape {
        /// In rows of the straightened line.
        let height: Float
        /// How much of the middle of its box is ink, of zeros and what is like them.
        let middleInk: Float
    }

    /// A reading whose logarithm of the probability, as a share of the one that was read, is less is impossible.
    private static let impossible: Float = -8
    /// The same for one that differs in case alone.
    private static let impossibleCase: Float = -4
    /// Characters of a run that are read anew at most; of more, the least certain ones.
    private static let mostOpen = 5

    private let alphabet: Alphabet
    private let texts: [Character]
    private let shapes: [Shape]
    private let zeros: ZeroStyle
    private let capitalHeight: Float?

    /// A resolver for a line.
    ///
    /// - Parameters:
    ///   - characters: Of the line.
    ///   - alphabet: What their classes say.
    ///   - shapes: For each character.
    init(_ characters: [CTCCharacter], alphabet: Alphabet, shapes: [Shape]) {
        self.alphabet = alphabet
        self.texts = characters.map { alphabet.characters[$0.label].first ?? " " }
        self.shapes = shapes
        self.zeros = ZeroStyle(characters, texts: self.texts, shapes: shapes)
        self.capitalHeight = Self.capitalHeight(characters, texts: self.texts, shapes: shapes)
    }

    /// Reads again the characters of words that might be others.
    ///
    /// - Parameters:
    ///   - characters: Of the line.
    ///   - words: The ranges of them that make up words.
    func resolve(_ characters: inout [CTCCharacter], words: [Range<Int>]) {
        for run in words.flatMap(self.runs(of:)) { self.resolve(&characters, run: run) }
    }

    private func resolve(_ characters: inout [CTCCharacter], run: Range<Int>) {
        let open = self.open(in: run, of: characters)
        guard !open.isEmpty else { return }
        var text = Array(self.texts[run])
        var best = (score: -Float.infinity, choice: [Int]())
        var second = -Float.infinity
        self.forEachChoice(of: open.map(\.readings.count)) { choice in
            var score: Float = 0
            for (place, reading) in zip(open, choice) {
                text[place.index - run.lowerBound] = place.readings[reading].text
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
            place.readings[reading].take(for: &characters[place.index], margin: margin)
        }
    }

    /// Calls `body` with each way to choose one of so many readings for each of some places.
    private func forEachChoice(of counts: [Int], _ body: ([Int]) -> Void) {
        var choice = counts.map { _ in 0 }
        while true {
            body(choice)
            guard let place = choice.indices.first(where: { choice[$0] + 1 < counts[$0] }) else { return }
            choice[place] += 1
            for earlier in 0..<place { choice[earlier] = 0 }
        }
    }
}

extension ConfusableResolver {
    /// A character that is read anew, and its possible readings, the recognizer's first.
    private struct Place {
        let index: Int
        let readings: [Reading]
    }

    private struct Reading {
        let text: Character
        let label: Int
        /// The recognizer's log-odds against its own reading, and what the ink adds.
        let score: Float
        let isOwn: Bool

        /// Takes the reading for a character; `margin` is by how much the run is likelier with it than otherwise.
        func take(for character: inout CTCCharacter, margin: Float) {
            guard !self.isOwn else { return }
            character.label = self.label
            character.confidence *= 1 / (1 + expf(-margin))
            character.rivals = []
        }
    }

    /// The places of a run that are open, the least certain ones.
    private func open(in run: Range<Int>, of characters: [CTCCharacter]) -> [Place] {
        let places = run.compactMap { index -> Place? in
            let own = Reading(
                text: self.texts[index],
                label: characters[index].label,
                score: self.shapeOdds(of: self.texts[index], at: index, logRatio: 0),
                isOwn: true
            )
            let others = characters[index].rivals.compactMap { self.reading($0, at: index) }
            return others.isEmpty ? nil : Place(index: index, readings: [own] + others)
        }
        guard places.count > Self.mostOpen else { return places }
        func doubt(_ place: Place) -> Float { place.readings.dropFirst().map(\.score).max() ?? 0 }
        return places.sorted { doubt($0) > doubt($1) }.prefix(Self.mostOpen).sorted { $0.index < $1.index }
    }

    private func reading(_ rival: CTCCharacter.Rival, at index: Int) -> Reading? {
        guard let text = self.alphabet.characters[rival.label].first, Self.isLatin(text) else { return nil }
        let isCaseAlone = text.lowercased() == self.texts[index].lowercased()
        guard rival.logRatio >= (isCaseAlone ? Self.impossibleCase : Self.impossible) else { return nil }
        let odds = self.shapeOdds(of: text, at: index, logRatio: rival.logRatio)
        return Reading(text: text, label: rival.label, score: rival.logRatio + odds, isOwn: false)
    }

    /// What the ink adds to the log-odds of a reading.
    private func shapeOdds(of text: Character, at index: Int, logRatio: Float) -> Float {
        var odds = self.zeros.logOdds(of: text, logRatio: logRatio, read: self.texts[index], shape: self.shapes[index])
        if let capitalHeight = self.capitalHeight {
            odds += CharacterHeight.logOdds(of: text, height: self.shapes[index].height / capitalHeight)
        }
        return odds
    }

    /// The runs of letters and digits in a word.
    private func runs(of word: Range<Int>) -> [Range<Int>] {
        word.split { !Self.isLatin(self.texts[$0]) }.compactMap { run in
            run.first.map { $0..<$0 + run.count }
        }
    }
}

extension ConfusableResolver {
    /// Whether a character is a Latin letter or a digit; Han and kana stand beside them without a space.
    private static func isLatin(_ text: Character) -> Bool {
        (text.isLetter || text.isWholeNumber) && text.unicodeScalars.allSatisfy { $0.value < 0x250 }
    }

    /// Whether a letter has the same shape capital and small.
    private static func hasOneShape(_ text: Character) -> Bool { "CcOoSsUuVvWwXxZz".contains(text) }

    /// The median height of characters that are as high as capitals for certain; `nil` where the line has none.
    private static func capitalHeight(
        _ characters: [CTCCharacter],
        texts: [Character],
        shapes: [Shape]
    ) -> Float? {
        let heights = characters.indices.filter { index in
            (texts[index].isUppercase || texts[index].isWholeNumber || "bdfhkl".contains(texts[index]))
                && !Self.hasOneShape(texts[index]) && texts[index].isASCII
        }.map { shapes[$0].height }.sorted()
        return heights.isEmpty ? nil : heights[heights.count / 2]
    }
}
