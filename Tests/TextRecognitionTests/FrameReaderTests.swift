import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct FrameReaderTests {
    private static let lines = [
        PrintedPage.Line(text: "AB CDE", x: 30, y: 20, height: 20),
        PrintedPage.Line(text: "EEA", x: 40, y: 90, height: 30),
        PrintedPage.Line(text: "DC BA", x: 30, y: 160, height: 20),
    ]
    private static let page = PrintedPage(width: 300, height: 220, lines)

    /// Text of a page in `orientation`.
    private static func read(
        _ options: ReadingOptions = ReadingOptions(),
        on page: PrintedPage = page,
        sentAs orientation: Orientation = .up,
        saying said: Orientation? = nil,
        by reader: FrameReader = PrintedPage.reader()
    ) throws -> [TextLine] {
        try page.pixels.sent(as: orientation).withPixels { view in
            try reader.read(view, orientation: said ?? orientation, options: options).lines
        }
    }

    /// Every box of `lines`: of each line, its words and their characters.
    private static func boxes(_ lines: [TextLine]) -> [Quad] {
        lines.flatMap { line in [line.box] + line.words.flatMap { [$0.box] + $0.characters.map(\.box) } }
    }

    @Test func linesWordsAndCharactersAreReadWhereTheyAre() throws {
        let lines = try Self.read()
        #expect(lines.map(\.text) == ["AB CDE", "EEA", "DC BA"])
        #expect(lines.map { $0.words.map(\.text) } == [["AB", "CDE"], ["EEA"], ["DC", "BA"]])
        for (line, printed) in zip(lines, Self.lines) {
            let characters = line.words.flatMap(\.characters)
            #expect(characters.map(\.text).joined() == printed.text.filter { $0 != " " })
            #expect(characters.count == printed.letters.count)
            for (character, ink) in zip(characters, printed.letters) { #expect(character.box.distance(to: ink) < 1.5) }
            #expect(line.confidence > 0.9 && line.candidates.isEmpty)
        }
    }

    @Test(arguments: Orientation.allCases)
    func everyOrientationGivesTheSameTextAtTheSamePlaces(orientation: Orientation) throws {
        let upright = try Self.read()
        let sent = try Self.read(sentAs: orientation)
        #expect(sent.map(\.text) == upright.map(\.text))
        let (expected, got) = (Self.boxes(upright), Self.boxes(sent))
        try #require(got.count == expected.count)
        let (width, height) = orientation.swapsAxes ? (220, 300) : (300, 220)
        for (box, other) in zip(expected, got) {
            let back = other.mapCorners { orientation.upright($0, width: width, height: height) }
            #expect(back.distance(to: box) < 1)
        }
    }

    @Test(arguments: Orientation.allCases, [Orientation.up, .right, .down, .left])
    func orientationIsDetectedFromText(said: Orientation, turned: Orientation) throws {
        // As sent by a camera whose orientation differs from the stated one.
        let quarterTurns = [Orientation.up, .right, .down, .left].firstIndex(of: turned) ?? 0
        let sent = said.turned(byQuarterTurns: quarterTurns)
        let options = ReadingOptions(regionOfInterest: Region(x: 0, y: 0, width: 1, height: 0.6), upright: .auto)
        let reading = try Self.page.pixels.sent(as: sent).withPixels { view in
            try PrintedPage.reader().read(view, orientation: said, options: options)
        }
        #expect(reading.orientation == sent)
        #expect(reading.lines.map(\.text) == ["AB CDE", "EEA"])
    }

    @Test(arguments: [
        (ReadingOptions(), false), (ReadingOptions(recognize: false), true),
        (ReadingOptions(minimumTextHeight: 0.01), true),
        (ReadingOptions(regionOfInterest: Region(x: 0, y: 0, width: 1, height: 0.9)), true),
    ])
    func anUprightPictureIsScannedOnce(options: ReadingOptions, isScannedAgain: Bool) throws {
        func scans(_ upright: Upright, of options: ReadingOptions) throws -> Int {
            let detector = PrintedPage.detector()
            let recognizer = RecognizerModel(model: PrintedPage.recognizer(), alphabet: PrintedPage.alphabet)
            var options = options
            options.upright = upright
            let reader = FrameReader([.fast: LevelModels(detector: detector, recognizer: recognizer)])
            #expect(try Self.read(options, by: reader).count == 3)
            return detector.shapes.count
        }
        let once = try scans(.given, of: options)
        let more = isScannedAgain ? try scans(.given, of: ReadingOptions()) : 0
        #expect(try scans(.auto, of: options) == once + more)
    }

    @Test func aFrameWithoutTextKeepsItsStatedOrientation() throws {
        let blank = PrintedPage(width: 300, height: 220, [])
        let reading = try blank.pixels.withPixels { view in
            try PrintedPage.reader().read(view, orientation: .left, options: ReadingOptions(upright: .auto))
        }
        #expect(reading.orientation == .left && reading.lines.isEmpty)
    }

    @Test(arguments: [Orientation.up, .right, .down, .left])
    func textThatLiesOnItsSideIsReadWithItsCornersInReadingDirection(orientation: Orientation) throws {
        // The picture is rotated, but this is not stated.
        let lines = try Self.read(sentAs: orientation, saying: .up)
        #expect(Set(lines.map(\.text)) == Set(Self.lines.map(\.text)))
        let (width, height) = orientation.swapsAxes ? (220, 300) : (300, 220)
        for line in lines {
            let printed = try #require(Self.lines.first { $0.text == line.text })
            for (character, ink) in zip(line.words.flatMap(\.characters), printed.letters) {
                let back = character.box.mapCorners { orientation.upright($0, width: width, height: height) }
                #expect(back.distance(to: ink) < 1.5)
            }
        }
    }

    @Test func aNarrowLetterThatStandsAloneIsReadUpright() throws {
        let page = PrintedPage(width: 300, height: 220, [.init(text: "B", x: 100, y: 80, height: 60, pitch: 6)])
        #expect(try Self.read(on: page).map(\.text) == ["B"])
    }

    @Test func aLetterThatStandsAloneIsReportedThoughItsAccentIsUncertain() throws {
        let (blank, letter) = ([0.96, 0.01, 0.01, 0.01, 0.01], [0.05, 0.1, 0.3, 0.28, 0.27]) as ([Float], [Float])
        let model = StubModel<BFloat16> { shape, _ in
            let stepCount = shape.width / 8
            return ((0..<stepCount).flatMap { $0 == 1 ? letter : blank }, [stepCount, letter.count])
        }
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(model: model, alphabet: Alphabet(characters: ["A", "Ä", "Ã", "Å"]))
            )
        ])
        let page = PrintedPage(width: 300, height: 220, [.init(text: "B", x: 100, y: 80, height: 60)])
        #expect(try Self.read(on: page, by: reader).map(\.text) == ["Ä"])
    }

    @Test func onlyTheRegionOfInterestIsRead() throws {
        let all = try Self.read()
        let options = ReadingOptions(regionOfInterest: Region(x: 0, y: 0.3, width: 1, height: 0.4))
        let lines = try Self.read(options)
        #expect(lines.map(\.text) == ["EEA"])
        #expect(zip(Self.boxes(lines), Self.boxes([all[1]])).allSatisfy { $0.distance(to: $1) < 1 })
    }

    @Test(arguments: Orientation.allCases)
    func theRegionOfInterestIsThatOfTheUprightPicture(orientation: Orientation) throws {
        let options = ReadingOptions(regionOfInterest: Region(x: 0, y: 0.6, width: 1, height: 0.4))
        #expect(try Self.read(options, sentAs: orientation).map(\.text) == ["DC BA"])
    }

    @Test func linesLowerThanTheMinimumAreLeftOut() throws {
        // The ink of a line is three fifths of its bar: 12 of 20 and 18 of 30.
        let least = ReadingOptions(minimumTextHeight: 15.0 / 220)
        #expect(try Self.read(least).map(\.text) == ["EEA"])
        #expect(try Self.read(least, sentAs: .right).map(\.text) == ["EEA"])
        #expect(try Self.read(ReadingOptions(minimumTextHeight: 1)).isEmpty)
    }

    @Test func withoutCharactersWordsAreTheSame() throws {
        let full = try Self.read()
        let lines = try Self.read(ReadingOptions(characters: false))
        #expect(lines.flatMap(\.words).allSatisfy { $0.characters.isEmpty })
        #expect(lines.map(\.text) == full.map(\.text))
        #expect(lines.flatMap(\.words).map(\.box) == full.flatMap(\.words).map(\.box))
    }

    @Test(arguments: [Upright.given, .auto], [true, false])
    func picturesAndTheFramesOfStreamsHaveTheirOwnNetworks(upright: Upright, recognize: Bool) throws {
        let (frames, pictures) = (PrintedPage.detector(), PrintedPage.detector())
        let reader = FrameReader([
            .fast: LevelModels(
                detector: frames,
                pictureDetector: pictures,
                recognizer: RecognizerModel(model: PrintedPage.recognizer(), alphabet: PrintedPage.alphabet)
            )
        ])
        let options = ReadingOptions(recognize: recognize, upright: upright)
        #expect(try Self.read(options, by: reader).count == 3)
        #expect(frames.shapes.isEmpty)
        let count = pictures.shapes.count
        try Self.page.pixels.withPixels { view in
            let frame = UprightFrame(view, orientation: .up)
            #expect(try reader.detect(in: frame, regions: nil, options: options).count == 3)
            _ = try reader.turn(of: frame, options: options)
            _ = try reader.propose(in: frame, options: options)
        }
        // Two scans of all sizes of letters, and one that is coarse.
        #expect((frames.shapes.count, pictures.shapes.count) == (5, count))
    }

    @Test func withoutRecognitionBoxesAreFoundAndNothingIsRead() throws {
        let recognizer = PrintedPage.recognizer()
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(model: recognizer, alphabet: PrintedPage.alphabet)
            )
        ])
        let lines = try Self.read(ReadingOptions(recognize: false), by: reader)
        #expect(recognizer.shapes.isEmpty)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.text.isEmpty && $0.confidence > 0.5 })
        #expect(lines.map(\.words.count) == [2, 1, 2])
        for (line, printed) in zip(lines, Self.lines) {
            let characters = line.words.flatMap(\.characters)
            #expect(characters.allSatisfy { $0.text.isEmpty })
            #expect(characters.count == printed.letters.count)
            for (character, ink) in zip(characters, printed.letters) { #expect(character.box.distance(to: ink) < 1.5) }
        }
        let plain = try Self.read(ReadingOptions(recognize: false, characters: false), by: reader)
        #expect(plain.flatMap(\.words).allSatisfy { $0.characters.isEmpty })
    }

    @Test(arguments: [true, false])
    func candidatesBeginWithTheLineItselfHoweverItsWordsWereFound(readsSpaces: Bool) throws {
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(
                    model: PrintedPage.recognizer(readsSpaces: readsSpaces),
                    alphabet: PrintedPage.alphabet
                )
            )
        ])
        let lines = try Self.read(ReadingOptions(candidates: 3), by: reader)
        #expect(lines.map(\.text) == Self.lines.map(\.text))
        for line in lines {
            #expect(line.candidates.count == 3)
            #expect(line.candidates.first == TextCandidate(text: line.text, confidence: line.confidence))
            #expect(Set(line.candidates.map { $0.text.filter { $0 != " " } }).count == 3)
            #expect(zip(line.candidates, line.candidates.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
        }
    }

    /// Texts in some languages, where the second letter of the script is another one.
    private static func texts(_ languages: [String], secondLetter: String) throws -> [String] {
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(
                    model: PrintedPage.recognizer(),
                    alphabet: Alphabet(list: "A\n\(secondLetter)\nC\nD\nE")
                )
            )
        ])
        return try Self.read(ReadingOptions(languages: languages), by: reader).map(\.text)
    }

    @Test func lettersThatNoLanguageUsesAreReadAsTheirBaseLetters() throws {
        #expect(try Self.texts([], secondLetter: "Ä") == ["AÄ CDE", "EEA", "DC ÄA"])
        #expect(try Self.texts(["en"], secondLetter: "Ä") == ["AA CDE", "EEA", "DC AA"])
        #expect(try Self.texts(["en", "de"], secondLetter: "Ä") == ["AÄ CDE", "EEA", "DC ÄA"])
    }

    @Test func lettersWithoutABaseLetterAreNotReadWhereNoLanguageUsesThem() throws {
        #expect(try Self.texts([], secondLetter: "漢") == ["A漢 CDE", "EEA", "DC 漢A"])
        #expect(try Self.texts(["en"], secondLetter: "漢") == ["A CDE", "EEA", "DC A"])
    }

    /// A reader whose first network has `confidence`, and whose second recognizes other letters.
    private static func cascadeReader(_ confidence: Float, rejectingBelow threshold: Float, second: StubModel<BFloat16>)
        -> FrameReader
    {
        FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(
                    model: PrintedPage.recognizer(confidence: confidence),
                    alphabet: PrintedPage.alphabet
                ),
                second: CascadeStage(
                    RecognizerModel(model: second, alphabet: Alphabet(list: "F\nG\nH\nI\nJ")),
                    policy: RejectionPolicy(minCharacterConfidence: threshold, minLineConfidence: threshold)
                )
            )
        ])
    }

    @Test(arguments: [Orientation.up, .right, .down, .left])
    func rejectedLinesAreReadAgainWithTheirCharacters(orientation: Orientation) throws {
        let second = PrintedPage.recognizer()
        let reader = Self.cascadeReader(0.65, rejectingBelow: 0.8, second: second)
        let lines = try Self.read(sentAs: orientation, saying: .up, by: reader)
        #expect(second.shapes.count == 3)
        let printed = ["FG HIJ", "JJF", "IH GF"]
        #expect(Set(lines.map(\.text)) == Set(printed))
        let (width, height) = orientation.swapsAxes ? (220, 300) : (300, 220)
        for line in lines {
            let index = try #require(printed.firstIndex(of: line.text))
            #expect(line.confidence > 0.9)
            let characters = line.words.flatMap(\.characters)
            #expect(characters.count == Self.lines[index].letters.count)
            for (character, ink) in zip(characters, Self.lines[index].letters) {
                let back = character.box.mapCorners { orientation.upright($0, width: width, height: height) }
                #expect(back.distance(to: ink) < 1.5)
            }
        }
    }

    @Test(arguments: [(0.95, 0.8), (0.65, 0.5), (0.65, 0)] as [(Float, Float)])
    func acceptedLinesAreReadOnce(confidence: Float, threshold: Float) throws {
        let second = PrintedPage.recognizer()
        let reader = Self.cascadeReader(confidence, rejectingBelow: threshold, second: second)
        #expect(try Self.read(by: reader).map(\.text) == Self.lines.map(\.text))
        #expect(second.shapes.isEmpty)
    }

    @Test func whatTheFirstNetworkHasNoIdeaOfIsNotReadAgain() throws {
        let second = PrintedPage.recognizer()
        // Without spaces, of which the network is certain.
        let page = PrintedPage(width: 300, height: 220, [.init(text: "EEA", x: 40, y: 90, height: 30)])
        #expect(try Self.read(on: page, by: Self.cascadeReader(0.15, rejectingBelow: 0.8, second: second)).isEmpty)
        #expect(second.shapes.isEmpty)
        #expect(
            try Self.read(on: page, by: Self.cascadeReader(0.3, rejectingBelow: 0.8, second: second)).map(\.text) == [
                "JJF"
            ]
        )
        #expect(second.shapes.count == 1)
    }

    @Test func theDetectorSeesFramesAtItsScale() throws {
        let detector = PrintedPage.detector()
        let reader = FrameReader([
            .fast: LevelModels(
                detector: detector,
                detectionScale: 0.8,
                detectOnlyScale: 0.6,
                recognizer: RecognizerModel(model: PrintedPage.recognizer(), alphabet: PrintedPage.alphabet)
            )
        ])
        #expect(try Self.read(by: reader).map(\.text) == Self.lines.map(\.text))
        #expect(try Self.read(ReadingOptions(recognize: false), by: reader).count == Self.lines.count)
        // 300 x 220, doubled and times 0.8, or 0.6 for detect-only requests; large lines have room in the first alone.
        let shapes = [(352, 480), (192, 320), (288, 384)].map { InputShape(height: $0, width: $1) }
        #expect(detector.shapes == shapes)
    }

    @Test(arguments: [Orientation.up, .right], [true, false])
    func whoHelpsChangesNothingOfWhatIsRead(orientation: Orientation, recognize: Bool) throws {
        var random = SplitMix64(7)
        let printed = (0..<30).map { row in
            let letters = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                "ABCDE".randomElement(using: &random)
            }
            return PrintedPage.Line(text: String(letters), x: 20, y: 20 + 40 * row, height: 20)
        }
        let page = PrintedPage(width: 500, height: 1240, printed)
        func lines(_ executor: any ParallelExecutor) throws -> [TextLine] {
            let reader = FrameReader(
                [
                    .fast: LevelModels(
                        detector: PrintedPage.detector(),
                        recognizer: RecognizerModel(
                            model: PrintedPage.recognizer(confidence: 0.65),
                            alphabet: PrintedPage.alphabet
                        ),
                        second: CascadeStage(
                            RecognizerModel(model: PrintedPage.recognizer(), alphabet: PrintedPage.alphabet),
                            policy: RejectionPolicy(minCharacterConfidence: 0.8, minLineConfidence: 0.8)
                        )
                    )
                ],
                executor: executor
            )
            return try Self.read(ReadingOptions(recognize: recognize), on: page, sentAs: orientation, by: reader)
        }
        let alone = try lines(InlineExecutor())
        #expect(alone.count > 20)
        #expect(try lines(ThreadExecutor()) == alone)
    }

    @Test func anEmptyPageHasNoLines() throws {
        #expect(try Self.read(on: PrintedPage(width: 300, height: 220, [])).isEmpty)
        #expect(try Self.read(on: PrintedPage(width: 1, height: 1, [])).isEmpty)
        #expect(try Self.read(on: PrintedPage(width: 700, height: 1, [])).isEmpty)
    }

    @Test func aReaderForgetsTheFrameBefore() throws {
        let reader = PrintedPage.reader()
        let first = try Self.read(by: reader)
        _ = try Self.read(
            on: PrintedPage(width: 90, height: 400, [.init(text: "ED", x: 10, y: 300, height: 20)]),
            by: reader
        )
        _ = try Self.read(sentAs: .down, saying: .up, by: reader)
        #expect(try Self.read(by: reader) == first)
    }

    @Test func aLevelThatIsNotLoadedIsRefused() {
        let error = #expect(throws: RecognitionError.self) { try Self.read(ReadingOptions(level: .accurate)) }
        #expect(error?.code == .levelUnavailable)
    }

    @Test func aFailingNetworkIsReportedAndTheNextFrameIsRead() throws {
        let recognizer = PrintedPage.recognizer()
        var isBroken = true
        let flaky = StubModel<BFloat16> { shape, input throws(RecognitionError) in
            if isBroken { throw RecognitionError(.inferenceFailed, "broken") }
            return try recognizer.answer(shape, input)
        }
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(model: flaky, alphabet: PrintedPage.alphabet)
            )
        ])
        #expect(throws: RecognitionError(.inferenceFailed, "")) { try Self.read(by: reader) }
        isBroken = false
        #expect(try Self.read(by: reader).map(\.text) == Self.lines.map(\.text))
    }

    @Test func bothStagesAreTimed() throws {
        let reading = try Self.page.pixels.withPixels { view in
            try PrintedPage.reader().read(view, orientation: .up, options: ReadingOptions())
        }
        #expect(reading.detect > .zero && reading.recognize > .zero)
    }
}
