internal import Glibc
internal import TextModel

/// What a recogniser read in one straightened line.
struct RecognizedLine {
    /// In reading order, spaces among them; ``CTCCharacter/centre`` in pixels of the straightened line.
    var characters: [CTCCharacter] = []
    /// The mean of the characters' confidences; 0 where there are none.
    var confidence: Float = 0
    /// The best readings, where more than one was asked for; twice as many, since some differ in
    /// spaces or the width of a character alone.
    var candidates: [TextCandidate] = []
    /// What the characters' labels stand for.
    var alphabet: Alphabet
    /// From pixels of the straightened line to pixels of the frame as it was sent.
    var map: Homography
    /// Pixels of a row of the straightened line.
    var width: Int
    /// The words that the client expects, and what speaks for them; `nil` where it expects none.
    var expected: (lexicon: Lexicon, evidence: ForcedAlignment)?

    /// The characters without the spaces, and the log odds of one before each: against anything else where it was read, so 0 or
    /// more, and against the blank where it was not, so 0 or less.
    var letters: (characters: [CTCCharacter], spaces: [Float]) {
        var letters: [CTCCharacter] = []
        var spaces: [Float] = []
        var read = -Float.infinity
        for character in self.characters {
            if self.alphabet.isSpace(character.label) {
                read = max(read, 0, logf(character.confidence / (1 - character.confidence)))
            } else {
                letters.append(character)
                spaces.append(max(read, character.unreadSpace))
                read = -.infinity
            }
        }
        return (letters, spaces)
    }

    /// What it says.
    var text: String { self.characters.map { self.alphabet.characters[$0.label] }.joined() }

    /// Puts characters of ASCII in the place of full-width forms that do not belong to the line.
    mutating func narrow() {
        let text = self.text
        guard text.narrowed != text else { return }
        for index in self.characters.indices {
            let label = self.characters[index].label
            self.characters[index].label = self.alphabet.label(of: self.alphabet.characters[label].narrowed) ?? label
        }
    }

    /// All columns of the straightened line.
    var span: Range<Float> { 0..<Float(self.width) }

    /// Where some columns of the straightened line are in the frame as it was sent.
    func quad(of columns: Range<Float>) -> Quad {
        self.map.quad(x0: columns.lowerBound, y0: 0, x1: columns.upperBound, y1: Float(LineRecognizer.height))
    }

    /// Whether all its characters are in `alphabet`.
    func isWritable(in alphabet: Alphabet) -> Bool {
        self.characters.allSatisfy { alphabet.contains(self.alphabet.characters[$0.label]) }
    }

    /// The line with parts of it as they were read by themselves, all with one alphabet, in which the rest can be written.
    ///
    /// - Parameters:
    ///   - parts: In columns of the straightened line; they begin and end at spaces, which stay.
    ///   - readings: Of each part.
    /// - Returns: The line, its ``confidence`` anew.
    func replacing(_ parts: [Range<Float>], with readings: [RecognizedLine]) -> RecognizedLine {
        guard let alphabet = readings.first?.alphabet, parts != [self.span] else { return readings.first ?? self }
        var line = self
        line.alphabet = alphabet
        line.characters = self.characters.compactMap { character in
            let isRead = parts.contains { $0.lowerBound < character.centre && character.centre < $0.upperBound }
            guard !isRead, let label = alphabet.label(of: self.alphabet.characters[character.label]) else { return nil }
            var character = character
            character.label = label
            return character
        }
        for (part, reading) in zip(parts, readings) {
            let scale = (part.upperBound - part.lowerBound) / reading.span.upperBound
            line.characters += reading.characters.map { character in
                var character = character
                character.centre = part.lowerBound + scale * character.centre
                return character
            }
        }
        line.characters.sort { $0.centre < $1.centre }
        line.confidence = line.characters.meanConfidence
        return line
    }
}
