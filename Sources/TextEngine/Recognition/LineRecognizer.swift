internal import FrameCodecs
internal import GlyphwireProtocol

/// What a recogniser read in one straightened line.
struct RecognizedLine {
    /// In reading order, spaces among them; ``CTCCharacter/centre`` in pixels of the straightened line.
    var characters: [CTCCharacter]
    /// The mean of the characters' confidences; 0 where there are none.
    var confidence: Float
    /// The best readings, where more than one was asked for; twice as many, since some differ in spaces alone.
    var candidates: [TextCandidate]
    /// What the characters' labels stand for.
    var alphabet: Alphabet
    /// From pixels of the straightened line to pixels of the frame as it was sent.
    var map: Homography
    /// The width of the straightened line.
    var width: Int
    /// The words that the client expects, and what speaks for them; `nil` where it expects none.
    var expected: (lexicon: Lexicon, evidence: LineEvidence)?
}

/// Reads single lines with a convolutional network and connectionist temporal classification.
package final class LineRecognizer {
    /// Rows of a straightened line.
    package static let height = 48
    /// The widths of input that are used; a line is read in the least that holds it.
    ///
    /// Most lines fall into one of the first; a network can be made ready for each of them up to ``mostFixedWidth``.
    /// Narrower than 96 the small model mistakes letters (it reads RF as RE), wider steps waste work on the margin.
    package static let widths = [96, 128, 176, 240, 320, 432, 576, 720, 960, 1200, 1600, 2400]
    /// See ``widths``.
    package static let mostFixedWidth = 576

    private let alphabet: Alphabet
    private let model: any InferenceModel
    /// The classes of the languages that were asked for last.
    private var mask: (languages: [String], allowed: ClassMask?) = ([], nil)
    /// The words that were expected last.
    private var lexicon: (words: [String], languages: [String], encoded: Lexicon?) = ([], [], nil)

    init(_ recognizer: RecognizerModel) {
        self.model = recognizer.model
        self.alphabet = recognizer.alphabet
    }

    /// Reads the line inside `quad`.
    ///
    /// - Parameters:
    ///   - quad: In sent pixels, its corners in reading direction.
    ///   - view: The frame as it was sent.
    ///   - options: Which languages may be read, which words are expected, and how many readings to tell.
    ///   - gray: Receives the brightness of the straightened line, ``height`` rows of its width.
    /// - Returns: What the line says.
    /// - Throws: ``WireError`` when inference fails.
    func recognize(
        _ quad: Quad,
        in view: PixelView,
        options: ReadingOptions,
        gray: inout ScratchBuffer<Float>
    ) throws(WireError) -> RecognizedLine {
        let allowed = self.allowed(options.languages)
        let lexicon = self.lexicon(options, allowed)
        let width = Self.width(of: quad)
        let shape = InputShape(height: Self.height, width: Self.widths.first { $0 >= width } ?? width)
        let map = Homography(width: Float(width), height: Float(Self.height), to: quad)
        gray.reserve(width * Self.height)
        let grayBase = gray.base
        return try self.model.infer(shape) { tensor in
            guard let tensor = tensor.baseAddress else { return }
            LineSampler.sample(view, map: map, width: width, shape: shape, into: tensor, gray: grayBase)
        } read: { output in
            var line = self.decode(
                output,
                width: width,
                shape: shape,
                map: map,
                allowed: allowed,
                candidates: options.candidates
            )
            if let lexicon, !line.characters.isEmpty {
                line.expected = (lexicon, self.evidence(for: lexicon, line, output, shape: shape))
            }
            return line
        }
    }

    private func decode(
        _ output: ModelOutput,
        width: Int,
        shape: InputShape,
        map: Homography,
        allowed: ClassMask?,
        candidates: Int
    ) -> RecognizedLine {
        var line = RecognizedLine(
            characters: [],
            confidence: 0,
            candidates: [],
            alphabet: self.alphabet,
            map: map,
            width: width
        )
        guard let values = output.values.baseAddress else { return line }
        let (steps, classes) = (output.shape[1], output.shape[2])
        line.characters = self.trimmed(
            CTCDecoder.bestPath(values, stepCount: steps, classCount: classes, allowed: allowed),
            pixelsPerStep: Float(shape.width) / Float(steps)
        )
        guard !line.characters.isEmpty else { return line }
        line.confidence = line.characters.reduce(0) { $0 + $1.confidence } / Float(line.characters.count)
        if candidates > 1 {
            line.candidates = CTCBeamSearch.readings(
                values,
                stepCount: steps,
                classCount: classes,
                allowed: allowed,
                count: 2 * candidates
            ).map { labels, probability in
                TextCandidate(text: labels.map { self.alphabet.characters[$0] }.joined(), confidence: probability)
            }
        }
        return line
    }

    /// What speaks for the words of a lexicon, and for what was read.
    private func evidence(
        for lexicon: Lexicon,
        _ line: RecognizedLine,
        _ output: ModelOutput,
        shape: InputShape
    ) -> LineEvidence {
        LineEvidence(
            output.values,
            stepCount: output.shape[1],
            classCount: output.shape[2],
            labels: lexicon.labels.union(line.characters.map(\.label)),
            space: self.alphabet.space,
            pixelsPerStep: Float(shape.width) / Float(output.shape[1])
        )
    }

    /// The characters without spaces at either end, their middles in pixels.
    private func trimmed(_ characters: [CTCCharacter], pixelsPerStep: Float) -> [CTCCharacter] {
        guard let first = characters.firstIndex(where: { !self.alphabet.isSpace($0.label) }),
            let last = characters.lastIndex(where: { !self.alphabet.isSpace($0.label) })
        else { return [] }
        return characters[first...last].map { character in
            var character = character
            character.centre *= pixelsPerStep
            return character
        }
    }

    private func lexicon(_ options: ReadingOptions, _ allowed: ClassMask?) -> Lexicon? {
        guard !options.customWords.isEmpty else { return nil }
        if self.lexicon.words != options.customWords || self.lexicon.languages != options.languages {
            let encoded = Lexicon(options.customWords, in: self.alphabet, allowed: allowed)
            self.lexicon = (options.customWords, options.languages, encoded)
        }
        return self.lexicon.encoded
    }

    private func allowed(_ languages: [String]) -> ClassMask? {
        if self.mask.languages != languages {
            let known = languages.compactMap { Language($0) }
            self.mask = (languages, known.isEmpty ? nil : ClassMask(known, in: self.alphabet))
        }
        return self.mask.allowed
    }

    /// How wide a quad is when it is ``height`` pixels high.
    static func width(of quad: Quad) -> Int {
        let width = quad.width / max(quad.height, 1) * Float(Self.height)
        return max(8, min(Self.widths[Self.widths.count - 1], Int(width.rounded())))
    }
}
