import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct LinePipelineTests {
    private struct Outcome {
        var line: TextLine?
        var readings: Int
        var secondReadings: Int
        var votes: LineVotes
    }

    /// Reader of Czech that reads an Á.
    private struct CzechReader: ScriptReader {
        let languages = ["cs"]

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            let letter = ScriptReading.Character(text: "Á", confidence: 0.9, columns: 0..<Float(width))
            return ScriptReading(words: [ScriptReading.Word(characters: [letter], confidence: 0.9)])
        }
    }

    private static let wide = RotatedRect(centre: Point(x: 100, y: 100), axis: Point(x: 1, y: 0), width: 90, height: 30)
    private static let tall = RotatedRect(centre: Point(x: 100, y: 100), axis: Point(x: 1, y: 0), width: 30, height: 90)

    /// Alphabet of one letter that networks read, and seventeen that they do not.
    private static func alphabet(_ letter: String) -> Alphabet {
        Alphabet(list: ([letter] + "cdefghijklmnopqrs".map(String.init)).joined(separator: "\n"))
    }

    /// A network with the given confidences, one reading after another, of the letters with the given labels or the first.
    private static func model(_ confidences: [Float], labels: [Int] = []) -> StubModel<BFloat16> {
        var (left, labels) = (confidences, labels)
        return StubModel<BFloat16> { shape, _ in
            let probability = left.isEmpty ? 0 : left.removeFirst()
            let label = labels.isEmpty ? 1 : labels.removeFirst()
            let blank = [1] + [Float](repeating: 0, count: 19)
            var values = (0..<shape.width / 8).flatMap { _ in blank }
            if probability > 0 {
                // The rest of the probability is spread, so that the letter is read even with low confidence.
                for label in 0..<20 { values[3 * 20 + label] = (1 - probability) / 19 }
                values[3 * 20 + label] = probability
            }
            return (values, [shape.width / 8, 20])
        }
    }

    /// Reads a box with a network that reads an A, and rejected readings again with one that reads a B.
    private static func read(
        _ rect: RotatedRect,
        letter: String = "A",
        votes: LineVotes = LineVotes(),
        _ confidences: Float...,
        labels: [Int] = [],
        second: [Float]? = nil,
        sureCharacter: Float = 0.8,
        expected: String? = nil,
        calibration: Calibration = .identity,
        languages: [String] = []
    ) throws -> Outcome {
        let (model, again) = (Self.model(confidences, labels: labels), Self.model(second ?? []))
        let pipeline = LinePipeline(
            RecognizerModel(model: model, alphabet: Self.alphabet(letter)),
            second: second.map { _ in
                CascadeStage(
                    RecognizerModel(model: again, alphabet: Self.alphabet("B")),
                    policy: RejectionPolicy(minCharacterConfidence: sureCharacter, minLineConfidence: 0.8)
                )
            },
            calibration: calibration,
            scriptReader: CzechReader()
        )
        var votes = votes
        var detected = DetectedLine(rect: rect, score: 0.9)
        detected.expectedText = expected
        let lines = try PixelBuffer(width: 200, height: 200, format: .gray).withPixels { view in
            try pipeline.read(
                [detected],
                in: LineContext(
                    frame: UprightFrame(view, orientation: .up),
                    options: ReadingOptions(languages: languages)
                ),
                with: InlineExecutor(),
                votes: &votes
            )
        }
        return Outcome(
            line: lines.first ?? nil,
            readings: model.shapes.count,
            secondReadings: again.shapes.count,
            votes: votes
        )
    }

    /// Direction of a line, in quarter turns clockwise.
    private static func direction(of line: TextLine?) -> Int? {
        guard let box = line?.box else { return nil }
        let (x, y) = (box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        return abs(x) > abs(y) ? (x > 0 ? 0 : 2) : (y > 0 ? 1 : 3)
    }

    /// Votes with a decided direction.
    private static func decided(_ shape: DirectionVotes.Shape, quarterTurns: Int) -> LineVotes {
        var votes = LineVotes()
        votes.directions.count(DirectionVotes.Vote(characters: 48, quarterTurns: quarterTurns, shape: shape))
        return votes
    }

    @Test func aWideBoxThatIsReadForCertainIsReadOnce() throws {
        let outcome = try Self.read(Self.wide, 0.96)
        #expect(outcome.readings == 1)
        #expect(Self.direction(of: outcome.line) == 0)
        #expect(outcome.line?.text == "A")
    }

    @Test func aWideBoxThatIsReadBadlyIsReadUpsideDownToo() throws {
        let outcome = try Self.read(Self.wide, 0.6, 0.9)
        #expect(outcome.readings == 2)
        #expect(Self.direction(of: outcome.line) == 2)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.7, 0.6).line) == 0)
    }

    @Test func whatReadsBothWaysIsNoEvidenceForUpsideDown() throws {
        let (k, o) = (10, 14)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.6, 0.9, labels: [1, k]).line) == 2)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.6, 0.9, labels: [1, o]).line) == 0)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.6, 0.9, labels: [o, o]).line) == 2)
        #expect(Self.direction(of: try Self.read(Self.wide, 0.45, 0.9, labels: [1, o]).line) == 2)
    }

    @Test func namesOfAMachineReadableZoneAreReadUpright() throws {
        let alphabet = Alphabet(list: "O\nT\n<\n>")
        var readings: [(text: String, confidence: Float)] = [("OTTO<<<<<", 0.6), (">>>>>OTTO", 0.7)]
        let network = StubModel<BFloat16> { shape, _ in
            let (text, confidence) = readings.removeFirst()
            let letters = Array(text)
            let steps = (0..<shape.width / 8).flatMap { step in
                var row = [1] + [Float](repeating: 0, count: alphabet.count - 1)
                if step % 3 == 1, step / 3 < letters.count, let label = alphabet.label(of: String(letters[step / 3])) {
                    (row[0], row[label]) = (1 - confidence, confidence)
                }
                return row
            }
            return (steps, [shape.width / 8, alphabet.count])
        }
        let pipeline = LinePipeline(RecognizerModel(model: network, alphabet: alphabet))
        let rect = RotatedRect(centre: Point(x: 300, y: 50), axis: Point(x: 1, y: 0), width: 480, height: 48)
        var votes = LineVotes()
        let lines = try PixelBuffer(width: 600, height: 100, format: .gray).withPixels { view in
            try pipeline.read(
                [DetectedLine(rect: rect, score: 0.9)],
                in: LineContext(frame: UprightFrame(view, orientation: .up), options: ReadingOptions()),
                with: InlineExecutor(),
                votes: &votes
            )
        }
        #expect(readings.isEmpty)
        #expect(Self.direction(of: lines[0]) == 0)
    }

    @Test func aWideBoxIsComparedUpsideDownUntilThePageHasDecidedUnlessItIsVerySure() throws {
        let outcome = try Self.read(Self.wide, 0.85, 0.95)
        #expect(outcome.readings == 2)
        #expect(Self.direction(of: outcome.line) == 2)

        let votes = Self.decided(.wide, quarterTurns: 0)
        let decided = try Self.read(Self.wide, votes: votes, 0.85)
        #expect(decided.readings == 1)
        #expect(Self.direction(of: decided.line) == 0)
    }

    @Test func aTallBoxIsReadInAllItsDirectionsUntilThePageHasDecided() throws {
        let outcome = try Self.read(Self.tall, 0.85, 0.6, 0.95)
        #expect(outcome.readings == 3)
        #expect(Self.direction(of: outcome.line) == 0)
        #expect(Self.direction(of: try Self.read(Self.tall, 0.85, 0.9, 0.6).line) == 3)

        let votes = Self.decided(.tall, quarterTurns: 3)
        let decided = try Self.read(Self.tall, votes: votes, 0.85)
        #expect(decided.readings == 1)
        #expect(Self.direction(of: decided.line) == 3)
    }

    @Test func whatNoDirectionMakesSenseOfIsNoText() throws {
        let outcome = try Self.read(Self.wide, 0.34, 0.3)
        #expect(outcome.line == nil)
        #expect(outcome.readings == 2)
        #expect(try Self.read(Self.tall).line == nil)
    }

    @Test(arguments: [(0.7, 0.9), (0.25, 0.95), (0.79, 0.6)] as [(Float, Float)])
    func aRejectedReadingIsReplacedByTheSecondNetworks(first: Float, second: Float) throws {
        let outcome = try Self.read(Self.wide, first, first - 0.1, second: [second])
        #expect((outcome.readings, outcome.secondReadings) == (2, 1))
        #expect(outcome.line?.text == "B")
        #expect(abs((outcome.line?.confidence ?? 0) - second) < 0.003)
        #expect(Self.direction(of: outcome.line) == 0)
    }

    @Test(
        arguments: [("Á", ["cs"], 0), ("Á", [], 1), ("Á", ["en"], 1), ("A", ["cs"], 1), ("á", ["cs"], 1)]
            as [(String, [String], Int)]
    )
    func aTextWithDiacriticsIsConfirmedByBothReaders(expected: String, languages: [String], seconds: Int) throws {
        let votes = Self.decided(.wide, quarterTurns: 0)
        let outcome = try Self.read(
            Self.wide,
            votes: votes,
            0.9,
            0.1,
            second: [0.9],
            sureCharacter: 0.95,
            expected: expected,
            languages: languages
        )
        #expect(outcome.secondReadings == seconds)
    }

    /// The only character is rejected in each case.
    @Test(
        arguments: [
            ("A", "A", 0.9, 0), ("A", "C", 0.9, 1), ("A", nil, 0.9, 1), ("A", "A", 0.75, 1), ("7", "7", 0.9, 1),
        ] as [(String, String?, Float, Int)]
    )
    func aConfidentReadingOfExpectedLettersIsNotReadAgain(letter: String, expected: String?, first: Float, seconds: Int)
        throws
    {
        let outcome = try Self.read(
            Self.wide,
            letter: letter,
            votes: Self.decided(.wide, quarterTurns: 0),
            first,
            0.1,
            second: [0.99],
            sureCharacter: 0.95,
            expected: expected
        )
        #expect(outcome.secondReadings == seconds)
        #expect(outcome.line?.text == (seconds == 0 ? letter : "B"))
    }

    @Test func theScoresAreThoseOfTheNetworks() throws {
        let once = try Self.read(Self.wide, 0.95).line
        #expect(once?.scores?.detection == 0.9)
        #expect(abs((once?.scores?.recognition ?? 0) - 0.95) < 0.003)
        #expect(once?.script == "Latn")
        let twice = try Self.read(Self.wide, 0.7, 0.6, second: [0.85]).line
        #expect(abs((twice?.scores?.recognition ?? 0) - 0.85) < 0.003)
    }

    @Test func linesBelowTheConfidenceThresholdAreNotReported() throws {
        // By this curve, 0.36 of readings with confidence 0.6 are right, and 0.34 of those with 0.58.
        let calibration = Calibration(slope: 1, offset: -1)
        #expect(try Self.read(Self.wide, 0.6, 0.1, calibration: calibration).line?.text == "A")
        #expect(try Self.read(Self.wide, 0.58, 0.1, calibration: calibration).line == nil)
    }

    @Test func ofALoneCharacterBelowTheThresholdLookAlikesCountTogether() throws {
        // A 0 with confidence 0.58 is an o or an e with 0.02 each, which are in the alphabet.
        let outcome = try Self.read(
            Self.wide,
            letter: "0",
            0.58,
            0.1,
            calibration: Calibration(slope: 1, offset: -1)
        )
        #expect(outcome.line?.text == "0")
        #expect(outcome.line.map { $0.confidence < 0.35 } == true)
    }

    @Test func whatTheSecondNetworkMakesNoSenseOfIsNoText() throws {
        let outcome = try Self.read(Self.wide, 0.7, 0.6, second: [0.3])
        #expect(outcome.secondReadings == 1)
        #expect(outcome.line == nil)
        #expect(try Self.read(Self.wide, 0.7, 0.6, second: [0]).line == nil)
    }

    @Test(arguments: [(0.94, 2), (0.96, 1)] as [(Float, Int)])
    func aSureReadingIsNotReadAgain(confidence: Float, readings: Int) throws {
        let outcome = try Self.read(Self.wide, confidence, second: [0.99])
        #expect((outcome.readings, outcome.secondReadings) == (readings, 0))
        #expect(outcome.line?.text == "A")
    }

    @Test func aReadingThatIsSureInOneDirectionIsNotReadAgain() throws {
        let outcome = try Self.read(Self.wide, 0.5, 0.9, second: [0.99])
        #expect((outcome.readings, outcome.secondReadings) == (2, 0))
        #expect(outcome.line?.text == "A")
    }

    @Test(arguments: [0.1, 0.19, 0] as [Float])
    func aHopelessReadingIsNotReadAgain(confidence: Float) throws {
        let outcome = try Self.read(Self.wide, confidence, confidence / 2, second: [0.99])
        #expect((outcome.readings, outcome.secondReadings) == (2, 0))
        #expect(outcome.line == nil)
    }

    @Test func theSecondReadingRunsInTheDirectionOfTheBetterFirst() throws {
        let outcome = try Self.read(Self.wide, 0.4, 0.7, second: [0.9])
        #expect(Self.direction(of: outcome.line) == 2)
        let tall = try Self.read(Self.tall, 0.4, 0.7, 0.5, second: [0.9])
        #expect(Self.direction(of: tall.line) == 3)
        #expect((tall.readings, tall.secondReadings) == (3, 1))
    }

    @Test func theSecondReadingVotesWhereItIsSure() throws {
        var votes = try Self.read(Self.wide, 0.4, 0.7, second: [0.7]).votes
        #expect(votes.directions.order(for: .wide) == [0, 2])
        votes = try Self.read(Self.wide, votes: votes, 0.4, 0.7, second: [0.9]).votes
        #expect(votes.directions.order(for: .wide) == [2, 0])
    }

    @Test func onlyCertainReadingsVote() throws {
        var votes = LineVotes()
        for _ in 0..<8 { votes = try Self.read(Self.wide, votes: votes, 0.7, 0.75).votes }
        #expect(!votes.directions.isDecided(for: .wide) && votes.directions.order(for: .wide) == [0, 2])
        votes = try Self.read(Self.wide, votes: votes, 0.6, 0.9).votes
        #expect(votes.directions.order(for: .wide) == [2, 0])
    }

    @Test func whatReadsBothWaysDoesNotVote() throws {
        var votes = LineVotes()
        for _ in 0..<8 { votes = try Self.read(Self.wide, letter: "*", votes: votes, 0.85, 0.9).votes }
        #expect(!votes.directions.isDecided(for: .wide) && votes.directions.order(for: .wide) == [0, 2])
    }

    /// Reads boxes 30 pixels high of these widths after their direction was decided.
    private static func readTogether(
        _ widths: [Float],
        _ confidences: [Float],
        second: [Float] = [],
        columns: Int = .max
    ) throws -> (lines: [TextLine?], counts: [Int], secondCounts: [Int]) {
        let (model, again) = (Self.model(confidences), Self.model(second))
        let policy = RejectionPolicy(minCharacterConfidence: 0.8, minLineConfidence: 0.8, maxColumns: columns)
        let pipeline = LinePipeline(
            RecognizerModel(model: model, alphabet: Self.alphabet("A")),
            second: CascadeStage(RecognizerModel(model: again, alphabet: Self.alphabet("B")), policy: policy)
        )
        var votes = Self.decided(.wide, quarterTurns: 0)
        let boxes = widths.enumerated().map { index, width in
            var rect = Self.wide
            rect.width = width
            rect.centre.y = Float(20 + 30 * index)
            return DetectedLine(rect: rect, score: 0.9)
        }
        let lines = try PixelBuffer(width: 200, height: 400, format: .gray).withPixels { view in
            try pipeline.read(
                boxes,
                in: LineContext(frame: UprightFrame(view, orientation: .up), options: ReadingOptions()),
                with: InlineExecutor(),
                votes: &votes
            )
        }
        return (lines, model.counts, again.counts)
    }

    @Test func ofAFrameThatIsHardToReadLessIsReadAgain() {
        let policy = RejectionPolicy(minCharacterConfidence: 0.8, minLineConfidence: 0.8, maxColumns: 800)
        #expect([0, 96, 800, 1600, 6400].map(policy.budget(forRejected:)) == [0, 96, 800, 400, 100])
        #expect(RejectionPolicy(minCharacterConfidence: 0.8, minLineConfidence: 0.8).budget(forRejected: 6400) == 6400)
    }

    private static let six = [Float](repeating: 90, count: 6)

    @Test func linesOfOneShapeAreBatchedAndReportedInOrder() throws {
        let confidences: [Float] = [0.95, 0.9, 0.85, 0.99, 0.91, 0.81]
        let (lines, counts, _) = try Self.readTogether(Self.six, confidences)
        #expect(counts == [4, 2])
        for (index, line) in lines.enumerated() {
            #expect(abs((line?.scores?.recognition ?? 0) - confidences[index]) < 0.003)
            #expect(abs((line?.box.topLeft.y ?? 0) - Float(20 + 30 * index)) < 15)
        }
    }

    @Test func linesOfOneWidthAreBatchedWhateverLiesBetweenThem() throws {
        let (lines, counts, _) = try Self.readTogether([90, 180, 90, 180], [0.95, 0.9, 0.85, 0.99])
        #expect(counts == [2, 2])
        for (line, confidence) in zip(lines, [0.85, 0.95, 0.99, 0.9] as [Float]) {
            #expect(abs((line?.scores?.recognition ?? 0) - confidence) < 0.003)
        }
    }

    @Test func ofThoseThatAreReadTogetherOnlyTheBadOnesAreReadUpsideDown() throws {
        // Four at once, then the second and the fourth in the other direction.
        let (lines, counts, _) = try Self.readTogether([90, 90, 90, 90], [0.95, 0.6, 0.9, 0.3, 0.9, 0.85])
        #expect(counts == [4, 2])
        #expect(lines.map(Self.direction) == [0, 2, 0, 2])
    }

    @Test func rejectedLinesAreReadAgainInOneBatch() throws {
        let (lines, counts, secondCounts) = try Self.readTogether(
            Self.six,
            [0.95, 0.6, 0.9, 0.5, 0.1, 0.1, 0.7, 0.9, 0.1],
            second: [0.9, 0.3, 0.95]
        )
        #expect(counts == [4, 2, 2, 1])
        #expect(secondCounts == [3])
        #expect(lines.map { $0?.text } == ["A", "B", "A", nil, "B", "A"])
    }

    /// Of some lines, all rejected, those whose second reading is reported.
    private static func secondReadings(_ widths: [Float], columns: Int) throws -> [Bool] {
        let upright = [Float](repeating: 0.7, count: widths.count)
        let upsideDown = [Float](repeating: 0.6, count: widths.count)
        let confidences = stride(from: 0, to: widths.count, by: 4).flatMap { start in
            upright[start...].prefix(4) + upsideDown[start...].prefix(4)
        }
        let second = [Float](repeating: 0.9, count: widths.count)
        let (lines, _, counts) = try Self.readTogether(widths, confidences, second: second, columns: columns)
        let isSecond = lines.map { $0?.text == "B" }
        #expect(lines.allSatisfy { $0?.text == "A" || $0?.text == "B" })
        #expect(counts.reduce(0, +) == isSecond.count { $0 })
        return isSecond
    }

    @Test func noMoreIsReadAgainOfAFrameThanItsColumns() throws {
        // Boxes of 90 x 30 pixels are read in 128 columns. If 768 are rejected, the budget of 313, 314 and 543 leaves
        // 127, 128 and 383.
        #expect(try Self.secondReadings(Self.six, columns: 313) == [false, false, false, false, false, false])
        #expect(try Self.secondReadings(Self.six, columns: 314) == [true, false, false, false, false, false])
        #expect(try Self.secondReadings(Self.six, columns: 543) == [true, true, false, false, false, false])
        #expect(try Self.secondReadings(Self.six, columns: 6 * 128) == [true, true, true, true, true, true])
    }

    @Test func linesWithMoreRejectedWordsForTheirWidthAreReadAgainFirst() throws {
        // In 240, 128 and 96 columns; if these 464 are rejected, the budget of 212, 322 and 323 leaves 96, 223 and 224.
        let widths: [Float] = [180, 90, 40]
        #expect(try Self.secondReadings(widths, columns: 212) == [false, false, true])
        #expect(try Self.secondReadings(widths, columns: 322) == [false, false, true])
        #expect(try Self.secondReadings(widths, columns: 323) == [false, true, true])
        #expect(try Self.secondReadings(widths, columns: 464) == [true, true, true])
        // A line too wide for the rest, 240 of 297 if 368 are rejected, does not prevent narrower ones.
        #expect(try Self.secondReadings([180, 90], columns: 297) == [false, true])
    }

    /// A recognizer with random output, also in the margin of its input.
    private static func noiseRecognizer(_ alphabet: Alphabet, seed: UInt64) -> RecognizerModel {
        var random = SplitMix64(seed)
        let model = StubModel<BFloat16> { shape, _ in
            let (stepCount, classCount) = (shape.width / 8, alphabet.count)
            let values = (0..<stepCount).flatMap { _ in
                let probability = Float.random(in: 0.1...1, using: &random)
                var row = [Float](repeating: (1 - probability) / Float(classCount - 1), count: classCount)
                let kinds = [Alphabet.blank, alphabet.space, Int.random(in: 0..<classCount, using: &random)]
                row[kinds[.random(in: 0..<3, using: &random)]] = probability
                return row
            }
            return (values, [stepCount, classCount])
        }
        return RecognizerModel(model: model, alphabet: alphabet)
    }

    /// Boxes in and around a picture of 320 x 240.
    private static func boxes(_ random: inout SplitMix64) -> [DetectedLine] {
        (0..<4).map { _ in
            let rect = RotatedRect(
                centre: Point(x: .random(in: 0...320, using: &random), y: .random(in: 0...240, using: &random)),
                axis: Point(x: 1, y: 0),
                width: .random(in: 1...200, using: &random),
                height: .random(in: 1...40, using: &random)
            )
            return DetectedLine(rect: rect, score: 0.9)
        }
    }

    @Test(arguments: [
        ReadingOptions(), ReadingOptions(candidates: 3), ReadingOptions(customWords: ["cde", "fgh"]),
    ])
    func whateverNetworksSayHasItsPlace(options: ReadingOptions) throws {
        let pipeline = LinePipeline(
            Self.noiseRecognizer(Self.alphabet("A"), seed: 1),
            second: CascadeStage(
                Self.noiseRecognizer(Self.alphabet("B"), seed: 2),
                policy: RejectionPolicy(minCharacterConfidence: 0.4, minLineConfidence: 0.55)
            )
        )
        let picture = PixelBuffer(noise: 3, width: 320, height: 240)
        var random = SplitMix64(4)
        var words: [TextWord] = []
        for _ in 0..<40 {
            let boxes = Self.boxes(&random)
            var votes = LineVotes()
            let lines = try picture.withPixels { view in
                try pipeline.read(
                    boxes,
                    in: LineContext(frame: UprightFrame(view, orientation: .up), options: options),
                    with: InlineExecutor(),
                    votes: &votes
                )
            }
            words += lines.flatMap { $0?.words ?? [] }
        }
        #expect(words.count > 200)
        for word in words {
            #expect(!word.text.isEmpty && !word.characters.isEmpty)
            for box in [word.box] + word.characters.map(\.box) { #expect(box.width > 0 && box.height > 0) }
        }
    }
}
