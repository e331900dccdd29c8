internal import ImageCodecs
internal import Glibc
internal import TextModel

/// Reads single lines with a convolutional network and connectionist temporal classification.
package final class LineRecognizer {
    /// Rows of a straightened line.
    package static let height = 48
    /// The widths of input that are used; a line is read in the least that holds it, narrowed by ``narrowing`` at most.
    ///
    /// Most lines fall into one of the first; a network can be made ready for each of them.
    /// Narrower than 96 the small model mistakes letters (it reads RF as RE), wider steps waste work on the margin.
    package static let widths = [96, 128, 176, 240, 320, 432, 576, 720, 960, 1200, 1600, 2400]
    /// How much wider than an input a line may be to be narrowed into it.
    ///
    /// That letters are up to a sixth narrower costs next to nothing, and the margin that the next input would have costs
    /// as much as text.
    private static let narrowing: Float = 1.2
    /// A line is no wider than this if it is read at one time.
    static let mostWidth = Int(Float(widths[widths.count - 1]) * narrowing)
    /// How wide the sections are on average, at most, in which a wider line is read; one may be wider by half.
    static let sectionWidth = 1920
    /// A line that is longer than so many sections is narrowed.
    private static let mostSections = 24
    /// Lines that are read at one time at most.
    package static let mostLines = 4

    /// What the network's classes say.
    let alphabet: Alphabet
    private let model: any InferenceModel<BFloat16>
    /// The logarithm of the share of the blank's probability from which on a letter is nearly read; `nil` where nobody asks.
    private let nearMiss: Float?
    /// The classes of the languages that were asked for last.
    private var mask: (languages: [String], allowed: ClassMask?) = ([], nil)
    /// The words that were expected last.
    private var lexicon: (words: [String], languages: [String], encoded: Lexicon?) = ([], [], nil)

    /// A recogniser.
    ///
    /// - Parameters:
    ///   - recognizer: Its network, and what that says.
    ///   - doubt: What of its readings is doubted; `nil` where nobody asks.
    init(_ recognizer: RecognizerModel, doubt: RejectionPolicy? = nil) {
        self.model = recognizer.model
        self.alphabet = recognizer.alphabet
        self.nearMiss = doubt.map { logf($0.unread) }
    }

    /// Reads the lines inside some quads of nearly the same shape.
    ///
    /// - Parameters:
    ///   - quads: In sent pixels, their corners in reading direction.
    ///   - view: The frame as it was sent.
    ///   - options: Which languages may be read, which words are expected, and how many readings to tell.
    ///   - images: Receive the straightened lines, one for each quad.
    /// - Returns: What each line says.
    /// - Throws: ``RecognitionError`` when inference fails.
    func recognize(
        _ quads: [Quad],
        in view: PixelView,
        options: ReadingOptions,
        images: [LineImage]
    ) throws(RecognitionError) -> [RecognizedLine] {
        let allowed = self.allowed(options.languages)
        let lexicon = self.lexicon(options, allowed)
        let shape = InputShape(height: Self.height, width: quads.map(Self.inputWidth).max() ?? Self.widths[0])
        let maps = zip(quads, images).map { quad, image in
            image.resize(width: min(Self.width(of: quad), Self.inputWidth(of: quad)))
            return Homography(width: Float(image.width), height: Float(Self.height), to: quad)
        }
        return try self.model.infer(shape, count: quads.count) { index, tensor in
            guard let tensor = tensor.baseAddress else { return }
            let image = images[index]
            LineSampler.sample(view, map: maps[index], width: image.width, shape: shape, into: tensor, gray: image.base)
        } read: { index, output in
            let image = images[index]
            var line = RecognizedLine(alphabet: self.alphabet, map: maps[index], width: image.width)
            guard let values = output.values.baseAddress else { return line }
            precondition(self.alphabet.isAnswered(by: output.shape[1]), "The alphabet is not that of the network.")
            let scores = Logits(values, stepCount: output.shape[0], classCount: output.shape[1])
            let pixelsPerStep = Float(shape.width) / Float(scores.stepCount)
            line.characters = self.trimmed(
                CTCDecoder.bestPath(scores, self.alphabet, allowed: allowed, nearMiss: self.nearMiss),
                pixelsPerStep: pixelsPerStep,
                width: image.width
            )
            line.narrow()
            line.confidence = line.characters.meanConfidence
            guard !line.characters.isEmpty, options.candidates > 1 || lexicon != nil else { return line }
            scores.probabilities().withUnsafeBufferPointer { probabilities in
                let output = ModelOutput(values: probabilities, shape: output.shape)
                if options.candidates > 1 {
                    line.candidates = self.candidates(output, allowed: allowed, count: options.candidates)
                }
                if let lexicon {
                    line.expected = (lexicon, self.evidence(for: lexicon, line, output, pixelsPerStep: pixelsPerStep))
                }
            }
            return line
        }
    }

    private func candidates(
        _ probabilities: ModelOutput<Float>,
        allowed: ClassMask?,
        count: Int
    ) -> [TextCandidate] {
        guard let values = probabilities.values.baseAddress else { return [] }
        return CTCBeamSearch.readings(
            values,
            stepCount: probabilities.shape[0],
            classCount: probabilities.shape[1],
            allowed: allowed,
            count: 2 * count
        ).map { labels, probability in
            TextCandidate(text: labels.map { self.alphabet.characters[$0] }.joined().narrowed, confidence: probability)
        }
    }

    /// What speaks for the words of a lexicon, and for what was read.
    private func evidence(
        for lexicon: Lexicon,
        _ line: RecognizedLine,
        _ probabilities: ModelOutput<Float>,
        pixelsPerStep: Float
    ) -> ForcedAlignment {
        ForcedAlignment(
            probabilities.values,
            stepCount: probabilities.shape[0],
            classCount: probabilities.shape[1],
            // A character may still become one that it is confused with.
            labels: lexicon.labels.union(line.characters.flatMap { [$0.label] + $0.rivals.map(\.label) }),
            space: self.alphabet.space,
            pixelsPerStep: pixelsPerStep
        )
    }

    /// The characters without spaces at either end, their middles in pixels and inside the line.
    private func trimmed(_ characters: [CTCCharacter], pixelsPerStep: Float, width: Int) -> [CTCCharacter] {
        guard let first = characters.firstIndex(where: { !self.alphabet.isSpace($0.label) }),
            let last = characters.lastIndex(where: { !self.alphabet.isSpace($0.label) })
        else { return [] }
        return characters[first...last].map { character in
            var character = character
            // What stands at the line's end may be seen in the margin behind it.
            character.centre = min(character.centre * pixelsPerStep, Float(width) - 0.5)
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

    /// The width of the input in which a quad is read.
    static func inputWidth(of quad: Quad) -> Int {
        let width = Float(Self.width(of: quad))
        return Self.widths.first { Float($0) * Self.narrowing >= width } ?? Self.widths[Self.widths.count - 1]
    }

    /// How wide a quad is when it is ``height`` pixels high; no wider than ``mostSections``.
    static func width(of quad: Quad) -> Int {
        let width = quad.width / max(quad.height, 1) * Float(Self.height)
        return max(8, Int(min(width, Float(Self.mostSections * Self.sectionWidth)).rounded()))
    }
}
