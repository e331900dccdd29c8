internal import TextModel

/// Reads lines in the direction in which they make sense, and places their words and characters; for one thread at a time.
final class LineReader {
    /// What came of a line when it was read.
    enum Outcome {
        /// The line as it is reported, `nil` where it is no text; and what it says of how lines run, where it was read for certain.
        case settled(AssembledLine?, DirectionVotes.Vote?)
        case rejected(DoubtfulLine)

        /// The line as it is reported, if it is settled and text.
        var line: AssembledLine? { if case .settled(let line, _) = self { line } else { nil } }
        /// The line, if it is in doubt.
        var rejected: DoubtfulLine? { if case .rejected(let line) = self { line } else { nil } }

        /// Counts what it says of how lines run.
        func count(in votes: inout DirectionVotes) {
            if case .settled(_, let vote?) = self { votes.count(vote) }
        }
    }

    /// A line of which a part is read again.
    struct DoubtfulLine {
        let line: DetectedLine
        /// In which direction it made most sense.
        let quarterTurns: Int
        let reading: RecognizedLine
        /// How many of its words are doubted.
        let rejectedWords: Int
        /// See ``RecognitionCascade/parts(of:_:)``; none where it stays at its first reading.
        var parts: [Range<Float>]

        /// Where its parts are, in sent pixels.
        var quads: [Quad] { self.parts.map(self.reading.quad(of:)) }
    }

    /// Reads every line.
    private let recognizer: LineRecognizer
    /// Reads again what `recognizer` doubts.
    private let second: RecognitionCascade?
    private let assembler: LineAssembler
    private var segmenter = CharacterSegmenter()
    /// The straightened lines that are read together: of each the best reading's so far, and that of the one that is tried.
    private var images = (0..<LineRecognizer.mostLines).map { _ in (best: LineImage(), trial: LineImage()) }

    /// What is right less often than this is told as no text.
    ///
    /// Who counts what was missed and what was made up alike loses by telling what is right less often than half of the
    /// F-measure that is reached (Lipton, Elkan and Narayanaswamy, Optimal Thresholding of Classifiers to Maximize F1
    /// Measure, 2014), which is 0.3 for streets and 0.45 for receipts.
    private static let minConfidence: Float = 0.35
    /// A reading less sure than this may be upside down.
    private static let sureConfidence: Float = 0.8
    /// The same where the frame's other lines have not yet shown which way they run: upside down, whole lines have been read
    /// with confidences up to 0.91.
    private static let firstConfidence: Float = 0.95

    init(_ recognizer: LineRecognizer, second: RecognitionCascade?, calibration: Calibration) {
        self.recognizer = recognizer
        self.second = second
        self.assembler = LineAssembler(calibration)
    }

    /// Reads lines of one shape and width, each in as many directions as it takes.
    ///
    /// - Parameters:
    ///   - lines: Where they are; ``LineRecognizer/mostLines`` at most.
    ///   - frame: The frame they are in.
    ///   - options: What the client wants to know.
    ///   - votes: Which way the frame's lines ran so far.
    /// - Returns: What came of each.
    /// - Throws: ``RecognitionError`` when inference fails.
    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        _ options: ReadingOptions,
        _ votes: DirectionVotes
    ) throws(RecognitionError) -> [Outcome] {
        let best = try self.recognize(lines, in: frame, options, votes)
        return zip(lines, best).enumerated().map { index, pair in
            let (line, (reading, quarterTurns)) = pair
            guard let reading else { return .settled(nil, nil) }
            if let second = self.second, second.rejects(reading) {
                return .rejected(
                    DoubtfulLine(
                        line: line,
                        quarterTurns: quarterTurns,
                        reading: reading,
                        rejectedWords: second.rejectedWords(of: reading),
                        parts: second.parts(of: reading, options)
                    )
                )
            }
            return self.outcome(of: line, reading, quarterTurns, self.images[index].best, in: frame, options)
        }
    }

    /// Has the better recogniser read parts of lines, all of one width.
    ///
    /// - Parameters:
    ///   - quads: Where they are, in sent pixels; ``LineRecognizer/mostLines`` at most.
    ///   - frame: The frame they are in.
    ///   - options: What the client wants to know.
    /// - Returns: What each says.
    /// - Throws: ``RecognitionError`` when inference fails.
    func readAgain(
        _ quads: [Quad],
        in frame: UprightFrame,
        _ options: ReadingOptions
    ) throws(RecognitionError) -> [RecognizedLine] {
        let images = self.images.prefix(quads.count).map(\.trial)
        let recognizer = self.second?.recognizer ?? self.recognizer
        return try recognizer.recognize(quads, in: frame.view, options: options, images: images)
    }

    /// Ends the doubt in a line.
    ///
    /// - Parameters:
    ///   - rejected: The line.
    ///   - readings: Of each of its parts.
    ///   - frame: The frame it is in.
    ///   - options: What the client wants to know.
    /// - Returns: What came of it.
    func settle(
        _ rejected: DoubtfulLine,
        with readings: [RecognizedLine],
        in frame: UprightFrame,
        _ options: ReadingOptions
    ) -> Outcome {
        let reading = rejected.reading.replacing(rejected.parts, with: readings)
        // Meanwhile others were straightened where it was.
        let image = self.straightened(reading.map, width: reading.width, in: frame)
        return self.outcome(of: rejected.line, reading, rejected.quarterTurns, image, in: frame, options)
    }

    /// What a reading tells of a line.
    private func outcome(
        of line: DetectedLine,
        _ reading: RecognizedLine,
        _ quarterTurns: Int,
        _ image: LineImage,
        in frame: UprightFrame,
        _ options: ReadingOptions
    ) -> Outcome {
        guard self.assembler.calibration(reading.confidence) >= Self.minConfidence else { return .settled(nil, nil) }
        let vote = DirectionVotes.Vote(
            characters: OrientationCue.evidence(in: reading.text),
            quarterTurns: quarterTurns,
            shape: line.shape
        )
        return .settled(
            self.assembler.line(of: reading, image, in: frame, score: line.score, options),
            reading.confidence >= Self.sureConfidence ? vote : nil
        )
    }

    /// Reads lines of one shape, each in as many directions as it takes.
    ///
    /// - Returns: The best reading of each, whose straightened line stands in ``images`` then, and its direction in quarters
    ///   clockwise.
    private func recognize(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        _ options: ReadingOptions,
        _ votes: DirectionVotes
    ) throws(RecognitionError) -> [(reading: RecognizedLine?, quarterTurns: Int)] {
        var best = [(reading: RecognizedLine?, quarterTurns: Int)](repeating: (nil, 0), count: lines.count)
        guard let shape = lines.first?.shape else { return best }
        let isDecided = votes.isDecided(for: shape)
        var open = Array(lines.indices)
        for quarterTurns in votes.order(for: shape) where !open.isEmpty {
            let trials = try self.recognizer.recognize(
                open.map { frame.sent(lines[$0].rect.quad.turned(quarterTurns)) },
                in: frame.view,
                options: options,
                images: open.map { self.images[$0].trial }
            )
            for (index, trial) in zip(open, trials) where trial.confidence > best[index].reading?.confidence ?? 0 {
                best[index] = (trial, quarterTurns)
                self.images[index] = (best: self.images[index].trial, trial: self.images[index].best)
            }
            open = zip(open, trials).filter {
                !Self.isEnough($1.confidence, shape, quarterTurns: quarterTurns, isDecided: isDecided)
            }.map(\.0)
        }
        return best
    }

    /// Whether a reading makes those in other directions unnecessary.
    ///
    /// A line that reads well upside down is also read upright, whatever the frame's other lines do: one line on its head
    /// says little about its neighbours.
    private static func isEnough(
        _ confidence: Float,
        _ shape: DirectionVotes.Shape,
        quarterTurns: Int,
        isDecided: Bool
    ) -> Bool {
        let isUsual = isDecided && quarterTurns != 2
        return isUsual ? confidence >= Self.sureConfidence : shape == .wide && confidence >= Self.firstConfidence
    }

    /// Straightens a line for a look at its ink.
    private func straightened(_ map: Homography, width: Int, in frame: UprightFrame) -> LineImage {
        let image = self.images[0].best
        image.resize(width: width)
        LineSampler.sample(frame.view, map: map, width: width, height: LineRecognizer.height, gray: image.base)
        return image
    }

    /// Finds the letters of a line by their ink.
    ///
    /// - Returns: Where they are in the straightened line, how wide that is, and the way from it to sent pixels.
    private func letters(of line: DetectedLine, in frame: UprightFrame) -> ([BoundingBox], width: Int, map: Homography)
    {
        let quad = frame.sent(line.quad)
        let width = LineRecognizer.width(of: quad)
        let map = Homography(width: Float(width), height: Float(LineRecognizer.height), to: quad)
        let image = self.straightened(map, width: width, in: frame)
        return (
            self.segmenter.segment(gray: image.base, width: width, height: LineRecognizer.height), width, map
        )
    }

    /// A line that is too long for the recogniser's last input in the sections in which it is read.
    ///
    /// Narrowed into it, small print that runs from side to side of a screen would lose letters.
    ///
    /// - Parameters:
    ///   - line: Where it is.
    ///   - frame: The frame it is in.
    /// - Returns: Its sections, which end between words where it has room there.
    func sections(of line: DetectedLine, in frame: UprightFrame) -> [LineSection] {
        let (letters, width, _) = self.letters(of: line, in: frame)
        let cuts = LetterGap.gaps(between: letters).cuts(into: line.sectionCount, of: Float(width))
        let ends = cuts.map { $0.middle / Float(width) } + [1]
        return zip(zip([0] + ends, ends), cuts.map(\.endsWord) + [true]).map { stretch, endsWord in
            LineSection(line: line.section(stretch.0..<stretch.1), endsWord: endsWord)
        }
    }

    /// Finds the words and characters of a line by their ink, without reading it.
    ///
    /// - Returns: The line with boxes in sent pixels and empty texts, or `nil` when there is no ink.
    func measure(_ line: DetectedLine, in frame: UprightFrame, options: ReadingOptions) -> TextLine? {
        let (letters, _, map) = self.letters(of: line, in: frame)
        guard let hull = BoundingBox(around: letters) else { return nil }
        let words = WordSplitter.words(letters).compactMap { range in
            BoundingBox(around: letters[range]).map { hull in
                let characters = letters[range].map {
                    TextCharacter(text: "", confidence: line.score, box: map.quad($0))
                }
                return TextWord(
                    text: "",
                    confidence: line.score,
                    box: map.quad(hull).withMargin,
                    characters: options.characters ? characters : []
                )
            }
        }
        return TextLine(
            text: "",
            confidence: line.score,
            box: map.quad(hull).withMargin,
            words: words,
            scores: TextLine.Scores(detection: line.score)
        )
    }
}

extension DetectedLine {
    /// A box this many times as high as wide is a line that runs up or down, or a narrow letter.
    private static let tallRatio: Float = 1.5

    var shape: DirectionVotes.Shape {
        self.rect.height >= Self.tallRatio * self.rect.width ? .tall : .wide
    }

    /// Its corners, as they are most likely read.
    var quad: Quad { self.shape == .tall ? self.rect.quad.turned(1) : self.rect.quad }

    /// In how many sections it is read.
    var sectionCount: Int {
        let width = LineRecognizer.width(of: self.quad)
        guard width > LineRecognizer.mostWidth else { return 1 }
        return (width + LineRecognizer.sectionWidth - 1) / LineRecognizer.sectionWidth
    }

    /// What of it lies between two fractions of its length, in the direction of ``quad``.
    func section(_ stretch: Range<Float>) -> DetectedLine {
        var section = self
        let (length, share) = (max(self.rect.width, self.rect.height), stretch.upperBound - stretch.lowerBound)
        let shift = ((stretch.lowerBound + stretch.upperBound) / 2 - 0.5) * length
        let axis = self.rect.axis
        if self.shape == .tall {
            section.rect.centre = Point(x: self.rect.centre.x - axis.y * shift, y: self.rect.centre.y + axis.x * shift)
            section.rect.height *= share
        } else {
            section.rect.centre = Point(x: self.rect.centre.x + axis.x * shift, y: self.rect.centre.y + axis.y * shift)
            section.rect.width *= share
        }
        return section
    }
}
