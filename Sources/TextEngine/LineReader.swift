internal import GlyphwireProtocol

/// When a line is read again, and by what.
struct SecondReading {
    /// The slower and better recogniser.
    let recognizer: LineRecognizer
    /// The confidences of a first reading that are doubted.
    let confidences: Range<Float>
}

/// Reads detected lines in the direction in which they make sense, and places their words and characters.
final class LineReader {
    /// Reads every line.
    private let recognizer: LineRecognizer
    /// Reads again what `recognizer` doubts.
    private let second: SecondReading?
    /// What the confidence in a word means.
    private let calibration: Calibration
    private var placer = CharacterPlacer()
    private var segmenter = InkSegmenter()
    /// The straightened line of the best reading so far, and of the one that is tried.
    private var gray = ScratchBuffer<Float>()
    private var trialGray = ScratchBuffer<Float>()

    /// Readings less sure than this are no text.
    private static let minConfidence: Float = 0.5
    /// A reading less sure than this may be upside down.
    private static let sureConfidence: Float = 0.8
    /// The same where the frame's other lines have not yet shown which way they run: upside down, whole lines have been read
    /// with confidences up to 0.86.
    private static let firstConfidence: Float = 0.9
    /// A box this many times as high as wide is a line that runs up or down, or a narrow letter.
    private static let tallRatio: Float = 1.5

    init(_ recognizer: LineRecognizer, calibration: Calibration = .identity, second: SecondReading? = nil) {
        self.recognizer = recognizer
        self.calibration = calibration
        self.second = second
    }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: Where it is.
    ///   - frame: The frame it is in.
    ///   - options: What the client wants to know.
    ///   - votes: Which way the frame's lines ran so far; counts this one.
    /// - Returns: The line with boxes in sent pixels, or `nil` when nothing can be read there.
    /// - Throws: ``WireError`` when inference fails.
    func read(
        _ line: DetectedLine,
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout DirectionVotes
    ) throws(WireError) -> TextLine? {
        let shape: DirectionVotes.Shape = line.isTall(by: Self.tallRatio) ? .tall : .wide
        var best: RecognizedLine?
        var bestQuarters = 0
        for quarters in votes.order(for: shape) {
            let read = try self.recognize(line, quarters, self.recognizer, in: frame, options)
            if read.confidence > best?.confidence ?? 0 {
                best = read
                bestQuarters = quarters
                swap(&self.gray, &self.trialGray)
            }
            if votes.isDecided(for: shape) {
                if read.confidence >= Self.sureConfidence { break }
            } else if shape == .wide, read.confidence >= Self.firstConfidence {
                break
            }
        }
        if let second = self.second, let doubtful = best, second.confidences.contains(doubtful.confidence) {
            best = try self.recognize(line, bestQuarters, second.recognizer, in: frame, options)
            swap(&self.gray, &self.trialGray)
        }
        guard let best, best.confidence >= Self.minConfidence else { return nil }
        if best.confidence >= Self.sureConfidence {
            votes.count(best.characters.count, quarters: bestQuarters, shape: shape)
        }
        return self.place(best, score: line.score, options)
    }

    /// Reads a line in one direction, in quarters clockwise.
    private func recognize(
        _ line: DetectedLine,
        _ quarters: Int,
        _ recognizer: LineRecognizer,
        in frame: UprightFrame,
        _ options: ReadingOptions
    ) throws(WireError) -> RecognizedLine {
        try recognizer.recognize(
            frame.sent(line.rect.quad.turned(quarters)),
            in: frame.view,
            options: options,
            gray: &self.trialGray
        )
    }

    /// Finds the words and characters of a line by their ink, without reading it.
    ///
    /// - Returns: The line with boxes in sent pixels and empty texts, or `nil` when there is no ink.
    func measure(_ line: DetectedLine, in frame: UprightFrame, options: ReadingOptions) -> TextLine? {
        let upright = line.rect.quad
        let quad = frame.sent(line.isTall(by: Self.tallRatio) ? upright.turned(1) : upright)
        let width = LineRecognizer.width(of: quad)
        let map = Homography(width: Float(width), height: Float(LineRecognizer.height), to: quad)
        self.gray.reserve(width * LineRecognizer.height)
        LineSampler.sample(frame.view, map: map, width: width, height: LineRecognizer.height, gray: self.gray.base)
        let letters = self.segmenter.letters(gray: self.gray.base, width: width, height: LineRecognizer.height)
        guard let hull = InkBox(around: letters) else { return nil }
        let words = WordSplitter.words(letters, startsAfterSpace: letters.map { _ in false }).compactMap { range in
            InkBox(around: letters[range]).map { hull in
                let characters = letters[range].map {
                    TextCharacter(text: "", confidence: line.score, box: map.quad($0))
                }
                return TextWord(
                    text: "",
                    confidence: line.score,
                    box: map.quad(hull),
                    characters: options.characters ? characters : []
                )
            }
        }
        return TextLine(
            text: "",
            confidence: line.score,
            box: map.quad(hull),
            words: words,
            scores: TextLine.Scores(detection: line.score)
        )
    }
}

extension LineReader {
    private func place(_ line: RecognizedLine, score: Float, _ options: ReadingOptions) -> TextLine? {
        let alphabet = line.alphabet
        var letters: [CTCCharacter] = []
        var startsAfterSpace: [Bool] = []
        var isAfterSpace = false
        for character in line.characters {
            if alphabet.isSpace(character.label) {
                isAfterSpace = true
            } else {
                letters.append(character)
                startsAfterSpace.append(isAfterSpace)
                isAfterSpace = false
            }
        }
        var boxes = self.boxes(of: letters, startsAfterSpace: startsAfterSpace, line)
        var ranges = WordSplitter.words(boxes, startsAfterSpace: startsAfterSpace)
        var line = line
        if let expected = line.expected,
            let corrected = expected.lexicon.corrected(letters, words: ranges, alphabet, expected.evidence)
        {
            (letters, startsAfterSpace) = corrected
            boxes = self.boxes(of: letters, startsAfterSpace: startsAfterSpace, line)
            ranges = WordSplitter.words(boxes, startsAfterSpace: startsAfterSpace)
            line.confidence = letters.reduce(0) { $0 + $1.confidence } / Float(letters.count)
        }
        guard let hull = InkBox(around: boxes) else { return nil }
        let words = ranges.compactMap { range in
            self.word(letters[range], boxes[range], line: line, alphabet: alphabet, withCharacters: options.characters)
        }
        let scores = TextLine.Scores(detection: score, recognition: line.confidence)
        line.confidence = self.calibration(line.confidence)
        let text = words.map(\.text).joined(separator: " ")
        return TextLine(
            text: text,
            confidence: line.confidence,
            box: line.map.quad(hull),
            words: words,
            candidates: options.candidates > 1 ? self.candidates(of: line, text: text, count: options.candidates) : [],
            script: Script.most(of: text)?.rawValue,
            scores: scores
        )
    }

    private func boxes(of letters: [CTCCharacter], startsAfterSpace: [Bool], _ line: RecognizedLine) -> [InkBox] {
        self.placer.place(
            centres: letters.map(\.centre),
            glyphWidths: letters.map { GlyphWidth.relative(line.alphabet.characters[$0.label]) },
            startsAfterSpace: startsAfterSpace,
            gray: self.gray.base,
            width: line.width,
            height: LineRecognizer.height
        )
    }

    /// The line's own reading and the best others; where words part is no other reading.
    private func candidates(of line: RecognizedLine, text: String, count: Int) -> [TextCandidate] {
        func letters(_ text: String) -> String { text.filter { $0 != " " } }
        var told: Set = [letters(text), ""]
        let others = line.candidates.filter { told.insert(letters($0.text)).inserted }.map { other in
            TextCandidate(
                text: other.text.split(separator: " ").joined(separator: " "),
                confidence: min(self.calibration(other.confidence), line.confidence)
            )
        }
        return [TextCandidate(text: text, confidence: line.confidence)] + others.prefix(count - 1)
    }

    private func word(
        _ letters: ArraySlice<CTCCharacter>,
        _ boxes: ArraySlice<InkBox>,
        line: RecognizedLine,
        alphabet: Alphabet,
        withCharacters: Bool
    ) -> TextWord? {
        guard let hull = InkBox(around: boxes) else { return nil }
        let characters = zip(letters, boxes).map { letter, box in
            TextCharacter(
                text: alphabet.characters[letter.label],
                confidence: letter.confidence,
                box: line.map.quad(box)
            )
        }
        return TextWord(
            text: characters.map(\.text).joined(),
            confidence: self.calibration(letters.reduce(0) { $0 + $1.confidence } / Float(letters.count)),
            box: line.map.quad(hull),
            characters: withCharacters ? characters : []
        )
    }
}

extension DetectedLine {
    fileprivate func isTall(by ratio: Float) -> Bool { self.rect.height >= ratio * self.rect.width }
}

extension Homography {
    fileprivate func quad(_ box: InkBox) -> Quad { self.quad(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1) }
}
