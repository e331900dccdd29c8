internal import Glibc
internal import TextModel

/// Reading of one rectified line.
///
/// Columns and centres are in pixels of that line; ``map`` leads from there to sent pixels.
struct RecognizedLine {
    /// Characters in reading order, spaces among them.
    var characters: [CTCCharacter] = []
    /// Mean of the characters' confidences; 0 without characters.
    var confidence: Float = 0
    /// Best readings, where more than one was asked for.
    ///
    /// Twice as many as asked for, since some differ in spaces or full-width forms alone.
    var candidates: [TextCandidate] = []
    /// Alphabet of the characters' labels.
    var alphabet: Alphabet
    /// Homography from pixels of the rectified line to sent pixels.
    var map: Homography
    /// Width of the rectified line.
    var width: Int
    /// Probabilities of its script, with the policy for them; `nil` if the network has none, or is not asked.
    var scripts: (scores: LineScores, policy: ScriptPolicy)?
    /// Script, certain or suspected, that the models do not read; `nil` for other lines.
    var unavailableScript: UnavailableScript?
    /// Custom words and the alignment that scores them; `nil` without custom words.
    var expected: (lexicon: Lexicon, alignment: ForcedAlignment)?
    /// Dictionary of words in ``alphabet``; `nil` where words decide nothing.
    var dictionary: WordDictionary?
    /// Words of the dictionary that may stand in the place of what is none.
    var corrections: [WordCorrection] = []

    /// Characters without spaces, each with the log-odds of a space before it.
    ///
    /// A decoded space counts against all other classes, so with 0 or more; a missed one against the blank, so with 0 or
    /// less.
    var spacedCharacters: [(character: CTCCharacter, spaceLogOdds: Float)] {
        var spaced: [(character: CTCCharacter, spaceLogOdds: Float)] = []
        var decoded = -Float.infinity
        for character in self.characters {
            if self.alphabet.isSpace(character.label) {
                decoded = max(decoded, 0, logf(character.confidence / (1 - character.confidence)))
            } else {
                spaced.append((character, max(decoded, character.missedSpace)))
                decoded = -.infinity
            }
        }
        return spaced
    }

    /// Script that keeps the line from being read, so that its characters mean nothing; `nil` for a line that is read.
    var certainUnavailableScript: UnavailableScript? { self.unavailableScript.flatMap { $0.isCertain ? $0 : nil } }
    /// Script that the line may have, so that its reader may read it better; `nil` for other lines.
    var suspectedUnavailableScript: UnavailableScript? { self.unavailableScript.flatMap { $0.isCertain ? nil : $0 } }

    /// Returns the script, certain or suspected, that the models do not read, among votes; `nil` for other lines.
    func unavailableScript(among votes: ScriptVotes, _ prior: ScriptPrior, _ options: ReadingOptions)
        -> UnavailableScript?
    {
        self.scripts.flatMap { scripts in
            scripts.policy.unavailableScript(of: scripts.scores.among(votes), self, options, prior: prior)
        }
    }

    /// Returns a script that the line has by itself as it is among the frame's other lines; see ``ScriptPolicy``.
    func decided(_ script: UnavailableScript, among votes: ScriptVotes) -> UnavailableScript? {
        self.scripts.flatMap { $0.policy.decided(script, of: $0.scores, among: votes) }
    }

    /// Text of the characters.
    var text: String { self.characters.map { self.alphabet.characters[$0.label] }.joined() }

    /// Replaces full-width forms that no character of the line justifies by ASCII; see ``Swift/String/narrowed``.
    mutating func narrow() {
        let text = self.text
        guard text.narrowed != text else { return }
        for index in self.characters.indices {
            let label = self.characters[index].label
            self.characters[index].label = self.alphabet.label(of: self.alphabet.characters[label].narrowed) ?? label
        }
    }

    /// Whether a character is a letter or a digit by itself beside other words: between spaces, or a space and a line's end.
    func isLoneLetter(_ index: Int) -> Bool {
        guard self.characters.count > 1 else { return false }
        let isAtStart = index == 0 || self.alphabet.isSpace(self.characters[index - 1].label)
        let isAtEnd = index == self.characters.count - 1 || self.alphabet.isSpace(self.characters[index + 1].label)
        return isAtStart && isAtEnd && self.alphabet.isLetter(self.characters[index].label)
    }

    /// Columns of the whole rectified line.
    var span: Range<Float> { 0..<Float(self.width) }

    /// Returns the quad of a range of columns in sent pixels.
    func quad(of columns: Range<Float>) -> Quad {
        self.map.quad(x0: columns.lowerBound, y0: 0, x1: columns.upperBound, y1: Float(LineSize.height))
    }

    /// Whether `alphabet` contains all its characters.
    func isWritable(in alphabet: Alphabet) -> Bool {
        self.characters.allSatisfy { alphabet.contains(self.alphabet.characters[$0.label]) }
    }

    /// Returns the line with the readings of some of its column ranges in their place.
    ///
    /// - Parameters:
    ///   - spans: Ranges of columns that begin and end at spaces, which stay.
    ///   - readings: The reading of each, all in one alphabet that can also write the rest of the line.
    /// - Returns: The line in that alphabet, with a new ``confidence``.
    func replacing(_ spans: [Range<Float>], with readings: [RecognizedLine]) -> RecognizedLine {
        guard let alphabet = readings.first?.alphabet, spans != [self.span] else { return readings.first ?? self }
        var line = self.corrected
        line.alphabet = alphabet
        line.dictionary = readings.first?.dictionary
        line.characters = line.characters.compactMap { character in
            let isReplaced = spans.contains { $0.lowerBound < character.centre && character.centre < $0.upperBound }
            guard !isReplaced, let label = alphabet.label(of: self.alphabet.characters[character.label]) else {
                return nil
            }
            var character = character
            character.label = label
            return character
        }
        for (span, reading) in zip(spans, readings.map(\.corrected)) {
            let scale = (span.upperBound - span.lowerBound) / reading.span.upperBound
            line.characters += reading.characters.map { character in
                var character = character
                character.centre = span.lowerBound + scale * character.centre
                return character
            }
        }
        line.characters.sort { $0.centre < $1.centre }
        line.confidence = line.characters.meanConfidence
        return line
    }
}
