internal import GlyphwireProtocol

/// Reads one detected line in the direction in which it makes sense, and places its words and characters.
final class LineReader {
    private let recognizer: LineRecognizer
    private var placer = CharacterPlacer()
    /// The straightened line of the best reading so far, and of the one that is tried.
    private var gray = ScratchBuffer<Float>()
    private var trialGray = ScratchBuffer<Float>()

    /// Readings less sure than this are no text.
    private static let minConfidence: Float = 0.5
    /// A reading less sure than this may be upside down.
    private static let sureConfidence: Float = 0.8
    /// A box this many times as high as wide is a line that runs up or down, or a narrow letter.
    private static let tallRatio: Float = 1.5

    init(_ recognizer: LineRecognizer) { self.recognizer = recognizer }

    /// Reads a line.
    ///
    /// - Returns: The line with boxes in sent pixels, or `nil` when nothing can be read there.
    func read(_ line: DetectedLine, in frame: UprightFrame, options: ReadingOptions) throws(WireError) -> TextLine? {
        let upright = line.rect.quad
        let isTall = line.rect.height >= Self.tallRatio * line.rect.width
        let directions = isTall ? [upright.turned(1), upright.turned(3), upright] : [upright, upright.turned(2)]
        var best: RecognizedLine?
        for direction in directions {
            let read = try self.recognizer.recognize(
                frame.sent(direction),
                in: frame.view,
                allowed: nil,
                gray: &self.trialGray
            )
            if read.confidence > best?.confidence ?? 0 {
                best = read
                swap(&self.gray, &self.trialGray)
            }
            if !isTall, read.confidence >= Self.sureConfidence { break }
        }
        guard let best, best.confidence >= Self.minConfidence else { return nil }
        return self.place(best)
    }
}

extension LineReader {
    private func place(_ line: RecognizedLine) -> TextLine {
        let alphabet = self.recognizer.alphabet
        var letters: [CTCCharacter] = []
        var startsAfterSpace: [Bool] = []
        var afterSpace = false
        for character in line.characters {
            if character.label == alphabet.space {
                afterSpace = true
            } else {
                letters.append(character)
                startsAfterSpace.append(afterSpace)
                afterSpace = false
            }
        }
        let boxes = self.placer.place(
            centres: letters.map(\.centre),
            glyphWidths: letters.map { GlyphWidth.relative(alphabet.characters[$0.label]) },
            gray: self.gray.base,
            width: line.width,
            height: LineRecognizer.height
        )
        let words = WordSplitter.words(boxes, startsAfterSpace: startsAfterSpace).map { range in
            Self.word(letters[range], boxes[range], alphabet: alphabet, map: line.map)
        }
        let hull = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
        return TextLine(
            text: words.map(\.text).joined(separator: " "),
            confidence: line.confidence,
            box: line.map.quad(hull),
            words: words
        )
    }

    private static func word(
        _ letters: ArraySlice<CTCCharacter>,
        _ boxes: ArraySlice<InkBox>,
        alphabet: Alphabet,
        map: Homography
    ) -> TextWord {
        let characters = zip(letters, boxes).map { letter, box in
            TextCharacter(
                text: alphabet.characters[letter.label],
                confidence: letter.confidence,
                box: map.quad(box)
            )
        }
        let hull = boxes.dropFirst().reduce(boxes[boxes.startIndex]) { $0.union($1) }
        return TextWord(
            text: characters.map(\.text).joined(),
            confidence: letters.reduce(0) { $0 + $1.confidence } / Float(letters.count),
            box: map.quad(hull),
            characters: characters
        )
    }
}

extension Homography {
    fileprivate func quad(_ box: InkBox) -> Quad { self.quad(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1) }
}

extension Quad {
    /// The same place read in a direction turned clockwise by so many quarters.
    func turned(_ quarters: Int) -> Quad {
        let corners = self.corners
        return Quad(
            topLeft: corners[quarters % 4],
            topRight: corners[(quarters + 1) % 4],
            bottomRight: corners[(quarters + 2) % 4],
            bottomLeft: corners[(quarters + 3) % 4]
        )
    }
}
