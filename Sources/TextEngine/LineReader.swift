internal import GlyphwireProtocol

/// Reads detected lines in the direction in which they make sense, and places their words and characters.
final class LineReader {
    /// A line of which a part is read again.
    private struct DoubtfulLine {
        /// Which of the lines that are to be read.
        let index: Int
        /// In which direction it made most sense.
        let quarters: Int
        let reading: RecognizedLine
        /// See ``SecondReading/parts(of:_:)``.
        let parts: [Range<Float>]
    }

    /// Reads every line.
    private let recognizer: LineRecognizer
    /// Reads again what `recognizer` doubts.
    private let second: SecondReading?
    /// What the confidence in a word means.
    private let calibration: Calibration
    private var placer = CharacterPlacer()
    private var segmenter = InkSegmenter()
    /// The straightened lines that are read together: of each the best reading's so far, and that of the one that is tried.
    private var images = (0..<LineRecognizer.mostLines).map { _ in (best: LineImage(), trial: LineImage()) }

    /// Readings less sure than this are no text.
    private static let minConfidence: Float = 0.5
    /// A reading less sure than this may be upside down.
    private static let sureConfidence: Float = 0.8
    /// The same where the frame's other lines have not yet shown which way they run: upside down, whole lines have been read
    /// with confidences up to 0.86.
    private static let firstConfidence: Float = 0.9

    init(_ recognizer: LineRecognizer, calibration: Calibration = .identity, second: SecondReading? = nil) {
        self.recognizer = recognizer
        self.calibration = calibration
        self.second = second
    }

    /// Reads lines.
    ///
    /// - Parameters:
    ///   - lines: Where they are; neighbours of the same shape are read together.
    ///   - frame: The frame they are in.
    ///   - options: What the client wants to know.
    ///   - votes: Which way the frame's lines ran so far; counts these.
    /// - Returns: The lines with boxes in sent pixels, `nil` for those where nothing can be read.
    /// - Throws: ``WireError`` when inference fails.
    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout DirectionVotes
    ) throws(WireError) -> [TextLine?] {
        var read = [TextLine?](repeating: nil, count: lines.count)
        var doubtful: [DoubtfulLine] = []
        var next = 0
        while next < lines.count {
            let batch = self.batch(lines[next...], votes)
            let best = try self.recognize(batch, in: frame, options, votes)
            for (index, (reading, quarters)) in zip(batch.indices, best) {
                guard let reading else { continue }
                if let second = self.second, second.doubts(reading) {
                    let parts = second.parts(of: reading, options)
                    doubtful.append(DoubtfulLine(index: index, quarters: quarters, reading: reading, parts: parts))
                } else {
                    read[index] = self.line(reading, quarters, lines[index], options, &votes)
                }
            }
            next = batch.endIndex
        }
        try self.readAgain(doubtful, of: lines, in: frame, options, into: &read, &votes)
        return read
    }

    /// What a reading tells of a line, `nil` where it is no text.
    private func line(
        _ reading: RecognizedLine,
        _ quarters: Int,
        _ line: DetectedLine,
        _ options: ReadingOptions,
        _ votes: inout DirectionVotes
    ) -> TextLine? {
        guard reading.confidence >= Self.minConfidence else { return nil }
        if reading.confidence >= Self.sureConfidence {
            votes.count(reading.characters.count, quarters: quarters, shape: line.shape)
        }
        return self.place(reading, score: line.score, options)
    }

    /// The first of some lines that are best read together: alike in shape, and only once it is known which way such lines run.
    private func batch(_ lines: ArraySlice<DetectedLine>, _ votes: DirectionVotes) -> ArraySlice<DetectedLine> {
        guard let first = lines.first, votes.isDecided(for: first.shape) else { return lines.prefix(1) }
        let width = LineRecognizer.inputWidth(of: first.quad)
        return lines.prefix(LineRecognizer.mostLines).prefix {
            $0.shape == first.shape && LineRecognizer.inputWidth(of: $0.quad) == width
        }
    }

    /// Reads lines of one shape, each in as many directions as it takes.
    ///
    /// - Returns: The best reading of each, and its direction in quarters clockwise.
    private func recognize(
        _ lines: ArraySlice<DetectedLine>,
        in frame: UprightFrame,
        _ options: ReadingOptions,
        _ votes: DirectionVotes
    ) throws(WireError) -> [(reading: RecognizedLine?, quarters: Int)] {
        let lines = Array(lines)
        var best = [(reading: RecognizedLine?, quarters: Int)](repeating: (nil, 0), count: lines.count)
        guard let shape = lines.first?.shape else { return best }
        let isDecided = votes.isDecided(for: shape)
        var open = Array(lines.indices)
        for quarters in votes.order(for: shape) where !open.isEmpty {
            let trials = try self.recognizer.recognize(
                open.map { frame.sent(lines[$0].rect.quad.turned(quarters)) },
                in: frame.view,
                options: options,
                images: open.map { self.images[$0].trial }
            )
            for (index, trial) in zip(open, trials) where trial.confidence > best[index].reading?.confidence ?? 0 {
                best[index] = (trial, quarters)
                self.images[index] = (best: trial.image, trial: self.images[index].best)
            }
            open = zip(open, trials).filter { !Self.isEnough($1.confidence, shape, isDecided) }.map(\.0)
        }
        return best
    }

    /// Whether a reading makes those in other directions unnecessary.
    private static func isEnough(_ confidence: Float, _ shape: DirectionVotes.Shape, _ isDecided: Bool) -> Bool {
        isDecided ? confidence >= Self.sureConfidence : shape == .wide && confidence >= Self.firstConfidence
    }

    /// Has the better recogniser read what is in doubt, in the direction that made most sense.
    private func readAgain(
        _ doubtful: [DoubtfulLine],
        of lines: [DetectedLine],
        in frame: UprightFrame,
        _ options: ReadingOptions,
        into read: inout [TextLine?],
        _ votes: inout DirectionVotes
    ) throws(WireError) {
        guard let recognizer = self.second?.recognizer else { return }
        let quads = doubtful.flatMap { line in line.parts.map(line.reading.quad(of:)) }
        var readings = try self.read(quads, by: recognizer, in: frame, options)[...]
        for line in doubtful {
            var reading = line.reading.replacing(line.parts, with: Array(readings.prefix(line.parts.count)))
            readings = readings.dropFirst(line.parts.count)
            // Meanwhile others were straightened where it was.
            reading.image = self.straightened(reading.map, width: reading.width, in: frame)
            read[line.index] = self.line(reading, line.quarters, lines[line.index], options, &votes)
        }
    }

    /// Reads parts of lines, those of one width together; their readings in the order of `quads`.
    private func read(
        _ quads: [Quad],
        by recognizer: LineRecognizer,
        in frame: UprightFrame,
        _ options: ReadingOptions
    ) throws(WireError) -> [RecognizedLine] {
        let widths = quads.map(LineRecognizer.inputWidth)
        var readings = [RecognizedLine?](repeating: nil, count: quads.count)
        var rest = quads.indices.sorted { widths[$0] > widths[$1] }[...]
        while let first = rest.first {
            let batch = rest.prefix(LineRecognizer.mostLines).prefix { widths[$0] == widths[first] }
            rest = rest[batch.endIndex...]
            let read = try recognizer.recognize(
                batch.map { quads[$0] },
                in: frame.view,
                options: options,
                images: self.images.prefix(batch.count).map(\.trial)
            )
            for (reading, index) in zip(read, batch) { readings[index] = reading }
        }
        return readings.compactMap(\.self)
    }

    /// Straightens a line for a look at its ink.
    private func straightened(_ map: Homography, width: Int, in frame: UprightFrame) -> LineImage {
        let image = self.images[0].best
        image.resize(width: width)
        LineSampler.sample(frame.view, map: map, width: width, height: LineRecognizer.height, gray: image.base)
        return image
    }

    /// Finds the words and characters of a line by their ink, without reading it.
    ///
    /// - Returns: The line with boxes in sent pixels and empty texts, or `nil` when there is no ink.
    func measure(_ line: DetectedLine, in frame: UprightFrame, options: ReadingOptions) -> TextLine? {
        let quad = frame.sent(line.quad)
        let width = LineRecognizer.width(of: quad)
        let map = Homography(width: Float(width), height: Float(LineRecognizer.height), to: quad)
        let image = self.straightened(map, width: width, in: frame)
        let letters = self.segmenter.letters(gray: image.base, width: width, height: LineRecognizer.height)
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
            line.confidence = letters.meanConfidence
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
            gray: line.image.base,
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
            confidence: self.calibration(letters.meanConfidence),
            box: line.map.quad(hull),
            characters: withCharacters ? characters : []
        )
    }
}

extension DetectedLine {
    /// A box this many times as high as wide is a line that runs up or down, or a narrow letter.
    private static let tallRatio: Float = 1.5

    fileprivate var shape: DirectionVotes.Shape {
        self.rect.height >= Self.tallRatio * self.rect.width ? .tall : .wide
    }

    /// Its corners, as they are most likely read.
    fileprivate var quad: Quad { self.shape == .tall ? self.rect.quad.turned(1) : self.rect.quad }
}

extension Homography {
    fileprivate func quad(_ box: InkBox) -> Quad { self.quad(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1) }
}
