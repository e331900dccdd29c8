internal import ImageCodecs
internal import Glibc
internal import TextModel

/// Recognizer of single text lines: a convolutional network trained with connectionist temporal classification.
///
/// Takes quads in sent pixels; rectifies each to a line of ``LineSize``, runs the network, decodes its time steps, and gives
/// characters whose centres are in pixels of that rectified line.
package final class LineRecognizer {
    /// Largest batch of lines.
    ///
    /// Four lines up to 320 wide take 0.66 to 0.89 of the time of single ones (accuracy log, *Batched lines, raw logits and
    /// faster rectification*).
    package static let maxLines = 4

    private enum Tuning {
        /// Beam search readings for each candidate asked for, as some differ in spaces or full-width forms alone.
        static let readingsPerCandidate = 2
    }

    /// Characters of the network's classes.
    let alphabet: Alphabet
    private let model: any InferenceModel<BFloat16>
    /// Log-ratio to the blank from which a character is a near miss; `nil` to search none.
    private let nearMiss: Float?
    /// Dictionary by which misread words are corrected; `nil` without one.
    private let dictionary: WordDictionary?
    /// Policy for lines in scripts that the network does not read; `nil` to read every line.
    let scripts: ScriptPolicy?
    /// Constraints that the recognizers of all threads have had.
    private let constraints: SharedCache<DecoderConstraints.Key, DecoderConstraints>
    /// Those of the last call, which are found without a hash of all custom words.
    private var last: (key: DecoderConstraints.Key, value: DecoderConstraints)?

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - recognizer: The network and its alphabet.
    ///   - rejection: The policy that rejects its readings; `nil` where nothing is read again.
    init(_ recognizer: RecognizerModel, rejection: RejectionPolicy? = nil) {
        self.model = recognizer.model
        self.alphabet = recognizer.alphabet
        self.scripts = recognizer.scripts
        self.dictionary = recognizer.dictionary
        self.constraints = recognizer.constraints
        self.nearMiss = rejection.map { logf($0.nearMiss) }
    }

    /// Recognizes the lines inside quads of nearly the same shape, as one batch.
    ///
    /// - Parameters:
    ///   - quads: In sent pixels, their corners in reading direction.
    ///   - view: The frame as it was sent.
    ///   - options: The languages allowed, the custom words, and the number of candidates.
    ///   - images: Receive the rectified lines, one for each quad.
    /// - Returns: The reading of each line.
    /// - Throws: ``RecognitionError`` when inference fails.
    func recognize(
        _ quads: [Quad],
        in view: PixelView,
        options: ReadingOptions,
        images: [LineImage]
    ) throws(RecognitionError) -> [RecognizedLine] {
        let constraints = self.constraints(of: options)
        let alphabet = constraints.restriction?.alphabet ?? self.alphabet
        let inputWidth = quads.map { LineSize($0).inputWidth }.max() ?? LineSize.inputWidths[0]
        let shape = InputShape(height: LineSize.height, width: inputWidth)
        let decoding = Decoding(
            constraints: constraints,
            dictionary: self.dictionary(options),
            candidateCount: options.wantsCandidates ? options.candidates : 0,
            inputWidth: inputWidth
        )
        let maps = zip(quads, images).map { quad, image in
            image.resize(width: LineSize(quad).recognizedWidth)
            return Homography(width: Float(image.width), height: Float(LineSize.height), to: quad)
        }
        return try self.model.infer(shape, count: quads.count) { index, tensor in
            guard let tensor = tensor.baseAddress else { return }
            let image = images[index]
            LineSampler.sample(view, map: maps[index], width: image.width, shape: shape, into: tensor, gray: image.base)
        } read: { index, output in
            let image = images[index]
            let line = RecognizedLine(alphabet: alphabet, map: maps[index], width: image.width)
            guard let values = output.values.baseAddress else { return line }
            precondition(self.alphabet.matches(classCount: output.shape[1]), "The alphabet is not that of the network.")
            let logits = Logits(values, stepCount: output.shape[0], classCount: output.shape[1])
            guard let restriction = constraints.restriction else {
                var line = self.decode(logits, into: line, decoding)
                line.scripts = self.scripts(of: line, output, decoding)
                line.unavailableScript = self.unavailableScript(of: line, options)
                return line
            }
            return restriction.values(of: logits).withUnsafeBufferPointer { values in
                guard let values = values.baseAddress else { return line }
                let count = alphabet.count
                let logits = Logits(values, stepCount: logits.stepCount, classCount: count)
                return self.decode(logits, into: line, decoding)
            }
        }
    }

    /// Returns the probabilities of a line's script, with the policy for them.
    ///
    /// It is not asked where a client lists the characters that stand there, who is believed.
    private func scripts(
        of line: RecognizedLine,
        _ output: ModelOutput<BFloat16>,
        _ decoding: Decoding
    ) -> (scores: LineScores, policy: ScriptPolicy)? {
        let steps = (line.width * output.shape[0] + decoding.inputWidth / 2) / decoding.inputWidth
        let stepsPerPixel = Float(output.shape[0]) / Float(decoding.inputWidth)
        guard let policy = self.scripts,
            let scores = LineScores(
                output.auxiliary,
                steps: min(max(1, steps), output.shape[0]),
                characters: line.characters.map { ($0.confidence, $0.centre * stepsPerPixel) }
            )
        else { return nil }
        return (scores, policy)
    }

    /// Returns the script of a line by itself that is not read, certain or suspected; `nil` for other lines.
    ///
    /// What is read as words of the dictionary or as digits is hardly of another script: to try its reader takes time.
    private func unavailableScript(of line: RecognizedLine, _ options: ReadingOptions) -> UnavailableScript? {
        guard let scripts = line.scripts,
            let script = scripts.policy.unavailableScript(of: scripts.scores, line, options)
        else { return nil }
        guard !script.isCertain, script.prior == .none, let dictionary = self.dictionary else { return script }
        return line.isLatin(by: dictionary, isMixed: script.isMixed) ? nil : script
    }

    /// What the lines of a batch have in common for the decoder.
    private struct Decoding {
        let constraints: DecoderConstraints
        /// Dictionary by which misread words are corrected; `nil` to correct none.
        let dictionary: WordDictionary?
        /// Number of candidates; 0 if none are asked for.
        let candidateCount: Int
        /// Width of the network's input.
        let inputWidth: Int
    }

    /// Returns a line with the characters of its logits.
    private func decode(_ logits: Logits, into line: RecognizedLine, _ decoding: Decoding) -> RecognizedLine {
        var line = line
        let pixelsPerStep = Float(decoding.inputWidth) / Float(logits.stepCount)
        let (allowed, lexicon) = (decoding.constraints.allowed, decoding.constraints.lexicon)
        let decoded = CTCDecoder.bestPath(logits, line.alphabet, allowed: allowed, nearMiss: self.nearMiss)
        let path = allowed?.folded(decoded) ?? decoded
        line.characters = self.trimmed(
            decoding.constraints.restriction?.accepted(path) ?? path,
            of: line,
            pixelsPerStep: pixelsPerStep
        )
        line.narrow()
        line.dictionary = decoding.dictionary
        line.confidence = line.characters.meanConfidence
        let corrector = decoding.dictionary.flatMap {
            WordCorrector(line, $0, expected: lexicon, pixelsPerStep: pixelsPerStep)
        }
        // Probabilities of all classes take memory for each, and most lines need none.
        guard !line.characters.isEmpty, decoding.candidateCount > 0 || lexicon != nil || corrector != nil
        else {
            return line
        }
        var probabilities = logits.probabilities()
        let shape = [logits.stepCount, logits.classCount]
        if decoding.candidateCount > 0 {
            line.candidates = probabilities.withUnsafeBufferPointer { values in
                self.candidates(ModelOutput(values: values, shape: shape), in: line.alphabet, decoding)
            }
        }
        guard lexicon != nil || corrector != nil else { return line }
        allowed?.fold(&probabilities, classCount: logits.classCount)
        probabilities.withUnsafeBufferPointer { values in
            let output = ModelOutput(values: values, shape: shape)
            line.corrections = corrector?.corrections(of: output, allowed: allowed) ?? []
            line.expected = lexicon.map {
                ($0, self.alignment($0, line, output: output, pixelsPerStep: pixelsPerStep))
            }
        }
        return line
    }

    /// Returns the dictionary by which misread words are corrected; `nil` to correct none.
    ///
    /// Where a client lists the characters that stand there, they are more likely a code.
    private func dictionary(_ options: ReadingOptions) -> WordDictionary? {
        options.languageCorrection && options.allowedCharacters == nil && WordDictionary.covers(options)
            ? self.dictionary : nil
    }

    /// Returns the best readings by beam search.
    private func candidates(
        _ probabilities: ModelOutput<Float>,
        in alphabet: Alphabet,
        _ decoding: Decoding
    ) -> [TextCandidate] {
        guard let values = probabilities.values.baseAddress else { return [] }
        return CTCBeamSearch.readings(
            values,
            stepCount: probabilities.shape[0],
            classCount: probabilities.shape[1],
            allowed: decoding.constraints.restriction?.allowed ?? decoding.constraints.allowed,
            count: Tuning.readingsPerCandidate * decoding.candidateCount
        ).map { labels, probability in
            let read = labels.map { decoding.constraints.allowed?.allowedLabel(of: $0) ?? $0 }
            return TextCandidate(text: read.map { alphabet.characters[$0] }.joined().narrowed, confidence: probability)
        }
    }

    /// Returns the forced alignment that scores a lexicon's words against the reading.
    private func alignment(
        _ lexicon: Lexicon,
        _ line: RecognizedLine,
        output: ModelOutput<Float>,
        pixelsPerStep: Float
    ) -> ForcedAlignment {
        let characters = line.characters + line.corrections.flatMap(\.characters)
        return ForcedAlignment(
            output.values,
            stepCount: output.shape[0],
            classCount: output.shape[1],
            // A character may still be corrected to one of its confusables.
            labels: lexicon.labels.union(characters.flatMap { [$0.label] + $0.alternatives.map(\.label) }),
            space: line.alphabet.space,
            pixelsPerStep: pixelsPerStep
        )
    }

    /// Returns the characters without leading and trailing spaces, their centres in pixels and inside the line.
    private func trimmed(_ characters: [CTCCharacter], of line: RecognizedLine, pixelsPerStep: Float) -> [CTCCharacter]
    {
        guard let first = characters.firstIndex(where: { !line.alphabet.isSpace($0.label) }),
            let last = characters.lastIndex(where: { !line.alphabet.isSpace($0.label) })
        else { return [] }
        return characters[first...last].map { character in
            var character = character
            // The network may emit the last characters in the margin behind the line.
            character.centre = min(character.centre * pixelsPerStep, Float(line.width) - 0.5)
            return character
        }
    }

    private func constraints(of options: ReadingOptions) -> DecoderConstraints {
        let key = DecoderConstraints.Key(options)
        if let last = self.last, last.key == key { return last.value }
        let value = self.constraints.value(for: key) { DecoderConstraints(options, of: self.alphabet) }
        self.last = (key, value)
        return value
    }
}
