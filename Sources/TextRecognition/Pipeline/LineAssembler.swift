internal import TextModel

/// Assembler of a line of text from its recognition, for one thread at a time.
///
/// It localizes characters, splits words, and corrects characters by their shape and their token.
final class LineAssembler {
    /// Calibration of word confidences.
    let calibration: Calibration
    private var localizer = CharacterLocalizer()
    private var edges = EdgeMarkDetector()

    init(_ calibration: Calibration) { self.calibration = calibration }

    /// Assembles a line of text.
    ///
    /// - Parameters:
    ///   - oriented: The accepted reading, with the rectified line.
    ///   - context: The frame and the options.
    /// - Returns: The line with boxes in sent pixels; `nil` if it has no characters.
    func line(of oriented: OrientedReading, in context: LineContext) -> AssembledLine? {
        let (reading, image, options) = (oriented.reading.corrected, oriented.image, context.options)
        var parts = self.parts(of: reading, image: image, in: context.frame)
        var confidence = reading.confidence
        if let expected = reading.expected,
            let corrected = expected.lexicon.corrected(
                parts.recognized,
                words: parts.words,
                alphabet: reading.alphabet,
                alignment: expected.alignment
            )
        {
            let boxes = self.boxes(of: corrected.characters, words: corrected.words, reading, image)
            let located = zip(corrected.characters, boxes).map { LocatedCharacter(recognized: $0, box: $1) }
            parts = LineCharacters(located, words: corrected.words)
            confidence = corrected.characters.meanConfidence
        }
        guard let hull = BoundingBox(around: parts.characters.map(\.box)) else { return nil }
        let words = parts.words.compactMap { self.word($0, of: parts, reading, withCharacters: options.characters) }
        let text = words.map(\.text).joined(separator: " ")
        let calibrated = self.calibration(confidence)
        let line = TextLine(
            text: text,
            confidence: calibrated,
            box: reading.map.quad(hull).withMargin,
            words: words,
            candidates: options.wantsCandidates
                ? self.candidates(of: reading, text: text, confidence: calibrated, count: options.candidates) : [],
            script: Script.most(of: text)?.rawValue,
            scores: TextLine.Scores(detection: oriented.line.score, recognition: confidence)
        )
        return AssembledLine(line: line, separators: NumberSeparator.all(in: parts, reading.alphabet))
    }

    /// Characters of a reading, their boxes, and their words.
    private func parts(of reading: RecognizedLine, image: LineImage, in frame: UprightFrame) -> LineCharacters {
        func split(_ parts: inout LineCharacters) {
            parts.split(
                reading.alphabet,
                reading.dictionary,
                expected: reading.expected?.lexicon,
                rules: self.localizer.rules
            )
        }
        var parts = self.located(reading, image: image)
        parts.add(self.edges.marks(beside: parts, of: reading, in: frame), reading.alphabet)
        parts.readUnderscores(reading.alphabet, bars: self.localizer.bars)
        parts.readDegrees(reading.alphabet)
        split(&parts)
        parts.readCheckMarks(reading.alphabet)
        let unknown = parts.unknownSigns(reading.alphabet)
        if !unknown.isEmpty {
            parts.remove(unknown)
            split(&parts)
        }
        let shapes = parts.characters.indices.map { index in
            let box = parts.characters[index].box
            let isRing = ZeroStyle.isRing(parts.text(of: index, reading.alphabet))
            return ConfusableResolver.Shape(
                height: box.height,
                centreForeground: isRing ? self.localizer.centreForeground(of: box) : 0
            )
        }
        ConfusableResolver(parts.recognized, alphabet: reading.alphabet, shapes: shapes)
            .resolve(&parts.recognized, words: parts.words)
        return parts
    }

    /// Characters of a reading with their boxes, less those that are vertical rules.
    private func located(_ reading: RecognizedLine, image: LineImage) -> LineCharacters {
        func located(_ spaced: [(character: CTCCharacter, spaceLogOdds: Float)]) -> LineCharacters {
            let words = WordSplitter.words(spaces: spaced.map(\.spaceLogOdds))
            let boxes = self.boxes(of: spaced.map(\.character), words: words, reading, image)
            return LineCharacters(
                zip(spaced, boxes).map {
                    LocatedCharacter(recognized: $0.character, box: $1, spaceLogOdds: $0.spaceLogOdds)
                }
            )
        }
        var parts = located(reading.spacedCharacters)
        let rules = self.localizer.misrecognizedRules(parts, reading.alphabet)
        guard !rules.isEmpty else { return parts }
        parts.remove(rules)
        // What foreground they had belongs to their neighbours.
        return located(parts.characters.map { ($0.recognized, $0.spaceLogOdds) })
    }

    private func boxes(
        of letters: [CTCCharacter],
        words: [Range<Int>],
        _ reading: RecognizedLine,
        _ image: LineImage
    ) -> [BoundingBox] {
        self.localizer.localize(
            letters.map {
                ExpectedCharacter(
                    centre: $0.centre,
                    advanceWidth: AdvanceWidth.relative(reading.alphabet.characters[$0.label])
                )
            },
            words: words,
            gray: image.base,
            width: reading.width,
            height: LineSize.height
        )
    }

    /// Candidates: the line's own reading and the best others that differ in more than spaces.
    private func candidates(
        of reading: RecognizedLine,
        text: String,
        confidence: Float,
        count: Int
    ) -> [TextCandidate] {
        func letters(_ text: String) -> String { text.filter { $0 != " " } }
        var known: Set = [letters(text), ""]
        let others = reading.candidates.filter { known.insert(letters($0.text)).inserted }.map { other in
            TextCandidate(
                text: other.text.split(separator: " ").joined(separator: " "),
                confidence: min(self.calibration(other.confidence), confidence)
            )
        }
        return [TextCandidate(text: text, confidence: confidence)] + others.prefix(count - 1)
    }

    private func word(
        _ range: Range<Int>,
        of parts: LineCharacters,
        _ reading: RecognizedLine,
        withCharacters: Bool
    ) -> TextWord? {
        guard let hull = BoundingBox(around: parts.characters[range].map(\.box)) else { return nil }
        let characters = range.map { index in
            TextCharacter(
                text: parts.text(of: index, reading.alphabet),
                confidence: parts.characters[index].recognized.confidence,
                box: reading.map.quad(parts.characters[index].box)
            )
        }
        return TextWord(
            text: characters.map(\.text).joined(),
            confidence: self.calibration(parts.recognized[range].meanConfidence),
            box: reading.map.quad(hull).withMargin,
            characters: withCharacters ? characters : []
        )
    }
}

extension Homography {
    /// Maps a box of the rectified line to sent pixels.
    func quad(_ box: BoundingBox) -> Quad { self.quad(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1) }
}
