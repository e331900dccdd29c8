import ImageCodecs
import Synchronization
import TextModel
import Testing

@testable import TextRecognition

/// Lines in scripts that the models do not read and another reader does.
@Suite struct ScriptReaderTests {
    /// Reader that answers by the language, with the words in the place of the dark blocks.
    private struct StubReader: ScriptReader {
        struct Answer {
            var words: [String]
            var confidence: Float = 0.95
            var runsLeft = false
            var isInDictionary = false
            /// Words that the dictionary has at any rate.
            var known: Set<String> = []
        }

        var answers: KeyValuePairs<String, Answer>
        var languages: [String] { self.answers.map(\.key) }

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            guard let answer = self.answers.first(where: { $0.key == language })?.value else { return nil }
            let dark = (0..<width).filter { pixels[height / 2 * width + $0] < 100 }
            let starts = dark.filter { !dark.contains($0 - 1) }
            let ends = dark.filter { !dark.contains($0 + 1) }.map { $0 + 1 }
            var blocks = zip(starts, ends).map { Float($0)..<Float($1) }
            if answer.runsLeft { blocks.reverse() }
            var rest = blocks[...]
            return ScriptReading(
                words: answer.words.map { word in
                    var reading = ScriptReading.Word(
                        characters: word.map {
                            ScriptReading.Character(
                                text: String($0),
                                confidence: answer.confidence,
                                columns: rest.popFirst() ?? 0..<1
                            )
                        },
                        confidence: answer.confidence
                    )
                    reading.isInDictionary = answer.isInDictionary || answer.known.contains(word)
                    return reading
                }
            )
        }
    }

    /// Reader that is sure of a line whose ink takes a share of the rows, and notes the shares that it is shown.
    private final class InkReader: ScriptReader {
        let languages = ["ru"]
        let sureShares: ClosedRange<Float>
        let otherConfidence: Float
        let shares = Mutex<[Float]>([])

        init(sureOf shares: ClosedRange<Float>, else confidence: Float = 0.85) {
            (self.sureShares, self.otherConfidence) = (shares, confidence)
        }

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            // Paper as ink is the brightest tone.
            guard pixels[0] >= 100 else { return nil }
            let rows = (0..<height).count { row in (0..<width).contains { pixels[row * width + $0] < 100 } }
            let share = Float(rows) / Float(height)
            self.shares.withLock { $0.append(share) }
            let confidence = self.sureShares.contains(share) ? 0.95 : self.otherConfidence
            let character = ScriptReading.Character(text: "Д", confidence: confidence, columns: 0..<Float(width))
            return ScriptReading(words: [ScriptReading.Word(characters: [character], confidence: confidence)])
        }
    }

    /// Reader whose confidence depends on whether a line stands upright: the lower half of a printed letter is lighter.
    private struct DirectionReader: ScriptReader {
        let languages = ["hy"]
        let upright: Float
        let upsideDown: Float

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            // Paper as ink is the brightest tone.
            guard pixels[0] >= 100,
                let column = (0..<width).first(where: { pixels[height / 2 * width + $0] < 100 })
            else { return nil }
            let letter = (0..<height).map { pixels[$0 * width + column + 3] }.filter { $0 < 100 }
            let isUpright = letter[letter.count * 3 / 4] > letter[letter.count / 4]
            let confidence = isUpright ? self.upright : self.upsideDown
            let character = ScriptReading.Character(text: "Ա", confidence: confidence, columns: 0..<Float(width))
            return ScriptReading(words: [ScriptReading.Word(characters: [character], confidence: confidence)])
        }
    }

    /// Reader that is sure of a line without ink in the middle of its middle row.
    private struct CoreReader: ScriptReader {
        let languages = ["ru"]

        func read(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, language: String) -> ScriptReading? {
            let ink = (width / 4..<3 * width / 4).count { pixels[height / 2 * width + $0] < 100 }
            let confidence: Float = 20 * ink < width ? 0.95 : 0.85
            let character = ScriptReading.Character(text: "Д", confidence: confidence, columns: 0..<Float(width))
            return ScriptReading(words: [ScriptReading.Word(characters: [character], confidence: confidence)])
        }
    }

    /// The sign in gray, with a white core in the upper part of each letter.
    private static var outlined: PixelBuffer {
        let page = PrintedPage(width: 320, height: 160, [Self.sign]).pixels
        return PixelBuffer(width: page.width, height: page.height, format: .bgra) { x, y, channel in
            let isCore = Self.sign.letters.contains { letter in
                let top = Int(letter.topLeft.y)
                return (top + 1..<top + 6).contains(y)
                    && (Int(letter.topLeft.x)..<Int(letter.topRight.x)).contains(x)
            }
            let value = page.bytes[y * page.bytesPerRow + 4 * x + channel]
            return isCore && channel < 3 ? 255 : value == 200 ? 130 : value
        }
    }

    private static let sign = PrintedPage.Line(text: "AB CD", x: 60, y: 60, height: 40)

    private static func read(
        _ script: Script?,
        _ answers: KeyValuePairs<String, StubReader.Answer>,
        _ options: ReadingOptions = ReadingOptions(),
        score: Float = 12,
        confidence: Float = 0.6,
        upsideDownConfidence: Float? = nil,
        among votes: LineVotes = LineVotes()
    ) throws -> [TextLine] {
        try Self.read(
            script,
            with: StubReader(answers: answers),
            options,
            score: score,
            confidence: confidence,
            upsideDownConfidence: upsideDownConfidence,
            among: votes
        )
    }

    private static func read(
        _ script: Script?,
        upsideDown: Script? = nil,
        with reader: any ScriptReader,
        _ options: ReadingOptions = ReadingOptions(),
        score: Float = 12,
        confidence: Float = 0.6,
        upsideDownConfidence: Float? = nil,
        among votes: LineVotes = LineVotes(),
        alphabet: Alphabet = PrintedPage.alphabet,
        pixels: PixelBuffer = PrintedPage(width: 320, height: 160, [Self.sign]).pixels
    ) throws -> [TextLine] {
        let model = UnreadableLineTests.model(
            upright: script,
            upsideDown: upsideDown,
            score: score,
            confidence: confidence,
            upsideDownConfidence: upsideDownConfidence
        )
        return try Self.read(by: model, with: reader, options, among: votes, alphabet: alphabet, pixels: pixels)
    }

    /// Reads the sign by a model whose scores are those of steps that are ink throughout, and of others.
    private static func read(
        ink: [Script?: Float],
        other: [Script?: Float],
        _ answers: KeyValuePairs<String, StubReader.Answer>,
        confidence: Float = 0.6,
        among votes: LineVotes = LineVotes()
    ) throws -> TextLine? {
        let model = StubModel<BFloat16>(PrintedPage.recognizer(confidence: confidence).answer) { shape, input in
            (0..<shape.width / 8).flatMap { step -> [Float] in
                let isInk = (8 * step..<8 * step + 8).allSatisfy { input[shape.index($0, 24, 0)] < 100 }
                return ScriptScores.classes.map { each -> Float in
                    guard case .script(let script) = each else { return 0 }
                    return (isInk ? ink : other)[script] ?? 0
                }
            }
        }
        return try Self.read(by: model, with: StubReader(answers: answers), among: votes).first
    }

    private static func read(
        by model: StubModel<BFloat16>,
        with reader: any ScriptReader,
        _ options: ReadingOptions = ReadingOptions(),
        among votes: LineVotes = LineVotes(),
        alphabet: Alphabet = PrintedPage.alphabet,
        pixels: PixelBuffer = PrintedPage(width: 320, height: 160, [Self.sign]).pixels
    ) throws -> [TextLine] {
        var votes = votes
        return try Self.read(by: model, with: reader, options, counting: &votes, alphabet: alphabet, pixels: pixels)
    }

    private static func read(
        by model: StubModel<BFloat16>,
        with reader: any ScriptReader,
        _ options: ReadingOptions = ReadingOptions(),
        counting votes: inout LineVotes,
        alphabet: Alphabet = PrintedPage.alphabet,
        pixels: PixelBuffer = PrintedPage(width: 320, height: 160, [Self.sign]).pixels
    ) throws -> [TextLine] {
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(
                    model: model,
                    alphabet: alphabet,
                    scripts: UnreadableLineTests.policy
                ),
                scriptReader: reader
            )
        ])
        return try pixels.withPixels { view in
            let frame = UprightFrame(view, orientation: .up)
            let lines = try reader.detect(in: frame, regions: nil, options: options)
            return try reader.read(lines, in: frame, options: options, votes: &votes).compactMap(\.self)
        }
    }

    /// The votes of lines in one script.
    private static func votes(_ count: Int, _ script: Script?) throws -> LineVotes {
        let index = try #require(ScriptScores.classes.firstIndex(of: .script(script ?? .latin)))
        var votes = LineVotes()
        for _ in 0..<count { votes.scripts.count(index) }
        return votes
    }

    @Test func aLineIsReadByTheReaderOfItsScript() throws {
        let lines = try Self.read(
            .cyrillic,
            ["ko": StubReader.Answer(words: ["다람", "쥐헌"]), "ru": StubReader.Answer(words: ["Дв", "ум"])]
        )
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect((line.text, line.script, line.reason) == ("Дв ум", "Cyrl", nil))
        #expect(line.words.map(\.text) == ["Дв", "ум"])
        #expect(line.words.map { $0.characters.map(\.text) } == [["Д", "в"], ["у", "м"]])
        #expect(line.scores?.recognition == 0.95)
        let letters = line.words.flatMap(\.characters).map(\.box)
        for (box, drawn) in zip(letters, Self.sign.letters) { #expect(box.intersectionOverUnion(with: drawn) > 0.6) }
        #expect(
            try Self.read(.cyrillic, ["ru": StubReader.Answer(words: ["Дв"])], ReadingOptions(characters: false))
                .first?.words.map(\.characters) == [[]]
        )
    }

    /// Latin text is the reader's only in a language that the client names, or hints at.
    @Test(
        arguments: [
            (ReadingOptions(languages: ["cs-CZ"]), "ÁB CĎ"), (ReadingOptions(languageHints: ["cs"]), "ÁB CĎ"),
            (ReadingOptions(), "AB CD"), (ReadingOptions(languages: ["en"]), "AB CD"),
            (ReadingOptions(languages: ["cs"], customWords: ["AB"]), "AB CĎ"),
            (ReadingOptions(languages: ["cs"], allowedCharacters: AllowedCharacters("A-D")), "AB CD"),
        ]
    )
    func diacriticsAreThoseOfTheReaderOfANamedLanguage(options: ReadingOptions, text: String) throws {
        let answers: KeyValuePairs = ["cs": StubReader.Answer(words: ["ÁB", "CĎ"])]
        let line = try #require(try Self.read(.latin, answers, options, confidence: 0.9).first)
        #expect(line.text == text)
        #expect(line.words.map { $0.characters.map(\.text).joined() } == text.split(separator: " ").map(String.init))
        let letters = line.words.flatMap(\.characters).map(\.box)
        for (box, drawn) in zip(letters, Self.sign.letters) { #expect(box.intersectionOverUnion(with: drawn) > 0.6) }
    }

    @Test(arguments: [["B"], ["(B"]]) func wordsOfTheClientStayWithSignsAroundThem(words: [String]) throws {
        let alphabet = Alphabet(list: "(\nB\nC\nD\nE")
        let reader = StubReader(answers: ["cs": StubReader.Answer(words: ["(Ḃ", "CĎ"])])
        func text(_ options: ReadingOptions) throws -> String? {
            try Self.read(.latin, with: reader, options, confidence: 0.9, alphabet: alphabet).first?.text
        }
        #expect(try text(ReadingOptions(languages: ["cs"])) == "(Ḃ CĎ")
        #expect(try text(ReadingOptions(languages: ["cs"], customWords: words)) == "(B CĎ")
    }

    @Test func aWordOfTheReaderOverSeveralIsDividedByItsColumns() throws {
        let reader = StubReader(answers: ["cs": StubReader.Answer(words: ["ÁBCĎ"])])
        let line = try #require(
            try Self.read(.latin, with: reader, ReadingOptions(languages: ["cs"]), confidence: 0.9).first
        )
        #expect(line.words.map(\.text) == ["ÁB", "CĎ"])
    }

    @Test(arguments: [Orientation.right, .down, .left]) func diacriticsAreReadInEachDirection(orientation: Orientation)
        throws
    {
        let reader = StubReader(answers: ["cs": StubReader.Answer(words: ["ÁB", "CĎ"])])
        let sent = PrintedPage(width: 320, height: 160, [Self.sign]).pixels.sent(as: orientation)
        let options = ReadingOptions(languages: ["cs"])
        let lines = try Self.read(.latin, with: reader, options, confidence: 0.9, pixels: sent)
        #expect(lines.map(\.text) == ["ÁB CĎ"])
    }

    @Test func theFirstCandidateHasTheDiacriticsOfTheLine() throws {
        let reader = StubReader(answers: ["cs": StubReader.Answer(words: ["ÁB", "CĎ"])])
        let options = ReadingOptions(languages: ["cs"], candidates: 3)
        let line = try #require(try Self.read(.latin, with: reader, options, confidence: 0.9).first)
        #expect(line.candidates.first?.text == "ÁB CĎ")
        #expect(Set(line.candidates.map(\.text)).count == line.candidates.count)
    }

    /// The networks are sure of their letters, unless half of the line is in the dictionary of the language.
    @Test(arguments: [([], "ABC DAB"), (["DÁB"], "ÁBC DÁB")] as [(Set<String>, String)])
    func lettersOfWhichTheNetworksAreSureStayOutsideItsLanguage(known: Set<String>, text: String) throws {
        let page = PrintedPage(width: 400, height: 160, [PrintedPage.Line(text: "ABC DAB", x: 60, y: 60, height: 40)])
        let reader = StubReader(answers: ["cs": StubReader.Answer(words: ["ÁBC", "DÁB"], known: known)])
        let options = ReadingOptions(languages: ["cs"])
        let lines = try Self.read(.latin, with: reader, options, confidence: 0.995, pixels: page.pixels)
        #expect(lines.map(\.text) == [text])
    }

    @Test func aScriptWithoutAReaderIsUnavailable() throws {
        let lines = try Self.read(.thai, ["ru": StubReader.Answer(words: ["Дв", "ум"])])
        #expect(lines.map(\.reason) == [.scriptUnavailable])
    }

    @Test func aImprobableReadingIsNotReported() throws {
        let improbable = StubReader.Answer(words: ["Дв", "ум"], confidence: 0.6)
        #expect(try Self.read(.cyrillic, ["ru": improbable]).map(\.reason) == [.scriptUnavailable])
        #expect(try Self.read(.cyrillic, ["ru": improbable], ReadingOptions(unreadable: .omit)).isEmpty)
    }

    @Test func aReadingInAnotherScriptIsNotReported() throws {
        #expect(
            try Self.read(.cyrillic, ["ru": StubReader.Answer(words: ["AB", "CD"])]).map(\.reason) == [
                .scriptUnavailable
            ]
        )
        #expect(
            try Self.read(.cyrillic, ["ru": StubReader.Answer(words: ["12", "34"])]).map(\.reason) == [
                .scriptUnavailable
            ]
        )
    }

    @Test func ofALineInASuspectedScriptTheMoreConfidentReadingIsTaken() throws {
        func text(_ script: Script?, _ confidence: Float) throws -> String? {
            let answer = StubReader.Answer(words: ["Дв", "ум"], confidence: confidence)
            // The networks read the line with 0.6, and such scripts have a probability of 0.87.
            return try Self.read(script, ["ru": answer], score: 2).first?.text
        }
        #expect(try text(.cyrillic, 0.95) == "Дв ум")
        #expect(try text(.cyrillic, 0.7) == "AB CD")
        #expect(try text(nil, 0.95) == "AB CD")
        let homoglyphs = StubReader.Answer(words: ["АВ", "СХ"])
        #expect(try Self.read(.cyrillic, ["ru": homoglyphs], score: 2).first?.text == "AB CD")
        #expect(try Self.read(.cyrillic, ["ru": homoglyphs]).first?.text == "АВ СХ")
    }

    @Test func aLineThatIsNotReadForCertainIsReadInOtherCrops() throws {
        // Margins of 0.15 and 0.1 of the ink's height on either side.
        let (wide, narrow) = (1 / Float(1.3), 1 / Float(1.2))
        let unsure = InkReader(sureOf: 2...3)
        let line = try #require(
            try Self.read(.cyrillic, with: unsure, among: try Self.uprightVotes(0, nil)).first
        )
        #expect(line.scores?.recognition == 0.85)
        let shares = unsure.shares.withLock { $0 }
        #expect(shares.count == 3)
        for (share, expected) in zip(shares.dropFirst(), [wide, narrow]) { #expect(abs(share - expected) < 0.05) }

        let sure = InkReader(sureOf: narrow - 0.03...narrow + 0.03)
        let other = try #require(try Self.read(.cyrillic, with: sure).first)
        #expect(other.scores?.recognition == 0.95)
        // Its box is in the pixels of the frame, whichever crop was read.
        #expect(other.box.intersectionOverUnion(with: line.box) > 0.9)

        let atOnce = InkReader(sureOf: 0...1)
        #expect(try Self.read(.cyrillic, with: atOnce).count == 1)
        #expect(atOnce.shares.withLock { $0.count } == 1)
    }

    /// The votes of lines in one script, whose direction is known.
    private static func uprightVotes(_ count: Int, _ script: Script?) throws -> LineVotes {
        var votes = try Self.votes(count, script)
        votes.directions.count(DirectionVotes.Vote(characters: 20, quarterTurns: 0, shape: .wide))
        return votes
    }

    /// A certain one is seen once before the frame's other lines are known, and in all crops afterwards.
    @Test(arguments: [(Float(12), 4), (2, 1)])
    func aLineInASuspectedScriptIsTriedOnceWhereItsReaderSeesNothing(score: Float, count: Int) throws {
        let reader = InkReader(sureOf: 2...3, else: 0.3)
        _ = try Self.read(.cyrillic, with: reader, score: score, among: try Self.uprightVotes(0, nil))
        #expect(reader.shares.withLock { $0.count } == count)
    }

    @Test(arguments: [(0, 3), (30, 1)])
    func aSuspectedScriptThatOtherLinesMakeImprobableIsSeenInOneCropIfItsReaderSeesLittle(others: Int, count: Int)
        throws
    {
        let reader = InkReader(sureOf: 2...3, else: 0.5)
        _ = try Self.read(.cyrillic, with: reader, score: 2, among: try Self.uprightVotes(others, .latin))
        #expect(reader.shares.withLock { $0.count } == count)
    }

    @Test(arguments: [(Float(0.5), 0, 4, true), (0.5, 30, 1, false), (0.65, 30, 3, true)])
    func aCertainScriptThatOtherLinesMakeUncertainIsSeenInOneCropIfItsReaderSeesLittle(
        confidence: Float,
        others: Int,
        count: Int,
        hasVote: Bool
    ) throws {
        let reader = InkReader(sureOf: 2...3, else: confidence)
        var votes = try Self.uprightVotes(others, .latin)
        let lines = try Self.read(
            by: UnreadableLineTests.model(upright: .cyrillic, score: 4),
            with: reader,
            counting: &votes
        )
        #expect(lines.map(\.reason) == [.scriptUnavailable])
        #expect(reader.shares.withLock { $0.count } == count)
        #expect(votes.scripts.have("Cyrl") == hasVote)
    }

    @Test func brightLettersWithADarkRimAreReadByTheirToneAlone() throws {
        let line = try #require(try Self.read(.cyrillic, with: CoreReader(), pixels: Self.outlined).first)
        #expect(line.scores?.recognition == 0.95)
    }

    @Test func anAmbiguousLineIsReadInTheScriptOfOtherLines() throws {
        func text(_ script: Script?, score: Float = 3, confidence: Float = 0.6, among votes: LineVotes) throws
            -> String?
        {
            let answer = StubReader.Answer(words: ["Дв", "ум"])
            return try Self.read(script, ["ru": answer], score: score, confidence: confidence, among: votes).first?.text
        }
        let (none, others) = (LineVotes(), try Self.votes(20, .cyrillic))
        // By itself the line has a script that is not read with 0.39.
        #expect(try text(nil, among: none) == "AB CD")
        #expect(try text(nil, among: others) == "Дв ум")
        #expect(try text(nil, score: 12, among: others) == "AB CD")
        #expect(try text(nil, among: try Self.votes(20, .hebrew)) == "AB CD")
        // What means nothing to the networks may be legible to the reader.
        #expect(try text(nil, confidence: 0.2, among: none) == nil)
        #expect(try text(nil, confidence: 0.2, among: others) == "Дв ум")
        #expect(try text(nil, score: 12, confidence: 0.2, among: others) == nil)
    }

    @Test(arguments: [(20, "Дв ум", false), (0, "AB CD", true)])
    func anAmbiguousLineThatOthersDecideHasNoVote(others: Int, text: String, hasVote: Bool) throws {
        var votes = try Self.votes(others, .cyrillic)
        let lines = try Self.read(
            by: UnreadableLineTests.model(upright: nil, score: 3),
            with: StubReader(answers: ["ru": StubReader.Answer(words: ["Дв", "ум"])]),
            counting: &votes
        )
        #expect(lines.map(\.text) == [text])
        #expect(votes.scripts.have("Latn") == hasVote)
    }

    @Test func aLineThatLooksLatinUpsideDownIsReadInTheDirectionOfOtherLines() throws {
        func isUpright(_ directions: DirectionVotes) throws -> Bool {
            var votes = try Self.votes(20, .cyrillic)
            votes.directions = directions
            let lines = try Self.read(
                .cyrillic,
                ["ru": StubReader.Answer(words: ["Дв", "ум"])],
                score: 2,
                confidence: 0.45,
                upsideDownConfidence: 0.7,
                among: votes
            )
            #expect(lines.map(\.text) == ["Дв ум"])
            return lines.allSatisfy { $0.box.topLeft.y < $0.box.bottomLeft.y }
        }
        var upright = DirectionVotes()
        upright.count(DirectionVotes.Vote(characters: 20, quarterTurns: 0, shape: .wide))
        #expect(try isUpright(upright))
        // Which direction is the right one is open without other lines.
        #expect(try !isUpright(DirectionVotes()))
    }

    @Test func aScriptThatIsSeenUpsideDownIsReadInTheMoreConfidentDirection() throws {
        func isUpright(_ upright: Float, _ upsideDown: Float, _ directions: DirectionVotes = DirectionVotes()) throws
            -> Bool
        {
            var votes = LineVotes()
            votes.directions = directions
            let lines = try Self.read(
                nil,
                upsideDown: .armenian,
                with: DirectionReader(upright: upright, upsideDown: upsideDown),
                among: votes
            )
            #expect(lines.map(\.text) == ["Ա"])
            return lines.allSatisfy { $0.box.topLeft.y < $0.box.bottomLeft.y }
        }
        #expect(try isUpright(0.95, 0.8))
        #expect(try isUpright(0.95, 0.4))
        #expect(try !isUpright(0.8, 0.85))
        #expect(try !isUpright(0.85, 0.85))
        // A confident reading needs no other.
        #expect(try !isUpright(0.97, 0.95))
        var upsideDown = DirectionVotes()
        upsideDown.count(DirectionVotes.Vote(characters: 20, quarterTurns: 2, shape: .wide))
        #expect(try !isUpright(0.95, 0.8, upsideDown))
    }

    @Test func someGreekLettersAreReadAsGreekAmongOtherLines() throws {
        func text(among votes: LineVotes) throws -> String? {
            try Self.read(
                .greek,
                with: StubReader(answers: ["el": StubReader.Answer(words: ["μετά", "Χριστόν"])]),
                among: votes,
                alphabet: Alphabet(list: "ε\nσ\nτ\nα\nρ")
            ).first?.text
        }
        // By itself it may be a formula.
        #expect(try text(among: LineVotes()) == "εσ τα")
        #expect(try text(among: try Self.votes(20, .greek)) == "μετά Χριστόν")
    }

    @Test func aLineIsReadInTheScriptOfOtherLinesThatLooksAlike() throws {
        let answers: KeyValuePairs = ["ka": StubReader.Answer(words: ["აბ", "გდ"])]
        let lines = try Self.read(.armenian, answers, among: try Self.votes(20, .georgian))
        #expect(lines.map(\.reason) == [.scriptUnavailable])
        let improbable = try Self.read(.armenian, answers, score: 2, among: try Self.votes(20, .georgian))
        #expect(improbable.map(\.text) == ["აბ გდ"])
    }

    @Test func aLineThatTwoScriptsMayHaveIsReadInThatOfOtherLines() throws {
        func line(_ answers: KeyValuePairs<String, StubReader.Answer>, among votes: LineVotes) throws -> TextLine? {
            let scores: [Script?: Float] = [.armenian: 12, .georgian: 8.5]
            return try Self.read(ink: scores, other: scores, answers, among: votes)
        }
        func armenian(_ confidence: Float) -> StubReader.Answer {
            StubReader.Answer(words: ["Աբ", "գդ"], confidence: confidence)
        }
        func georgian(_ confidence: Float) -> StubReader.Answer {
            StubReader.Answer(words: ["აბ", "გდ"], confidence: confidence)
        }
        let (none, others) = (LineVotes(), try Self.votes(4, .georgian))
        #expect(try line(["hy": armenian(0.8), "ka": georgian(0.95)], among: none)?.text == "Աբ գդ")
        #expect(try line(["hy": armenian(0.8), "ka": georgian(0.95)], among: others)?.text == "აბ გდ")
        // It has to be sure, and surer than what the reader of the more probable script reads.
        #expect(try line(["hy": armenian(0.8), "ka": georgian(0.85)], among: others)?.text == "Աբ գդ")
        #expect(try line(["hy": armenian(0.97), "ka": georgian(0.95)], among: others)?.text == "Աբ գդ")
        #expect(try line(["hy": armenian(0.8)], among: others)?.text == "Աբ գդ")
        // What no reader has read keeps its most probable script.
        let unread = try line(["he": armenian(0.95)], among: others)
        #expect(unread?.reason == .scriptUnavailable && unread?.script == "Armn")
    }

    @Test func letterLikeOnesAreCyrillicAmongCyrillicLines() throws {
        let homoglyphs = StubReader.Answer(words: ["АВ", "СХ"])
        let lines = try Self.read(.cyrillic, ["ru": homoglyphs], score: 2, among: try Self.votes(20, .cyrillic))
        #expect(lines.map(\.text) == ["АВ СХ"])
    }

    @Test func wordsOfTheDictionaryProveAScriptWhateverTheNetworksRead() throws {
        func text(_ words: [String], known: Bool = true, languages: [String] = [], among votes: LineVotes = LineVotes())
            throws -> String?
        {
            let answer = StubReader.Answer(words: words, confidence: 0.9, isInDictionary: known)
            let options = ReadingOptions(languages: languages)
            return try Self.read(.cyrillic, ["ru": answer], options, score: 2, confidence: 0.98, among: votes).first?
                .text
        }
        #expect(try text(["До", "ма"]) == "До ма")
        #expect(try text(["До", "ма"], known: false) == "AB CD")
        // So few letters that look Latin are a word by chance.
        #expect(try text(["ТО", "Р"]) == "AB CD")
        #expect(try text(["ТО", "РТ"], languages: ["ru"]) == "ТО РТ")
        #expect(try text(["ТО", "РТ"], among: try Self.votes(20, .cyrillic)) == "ТО РТ")
        #expect(try text(["РЕС", "ТО"]) == "РЕС ТО")
        let tax = StubReader.Answer(words: ["Ταχ"], isInDictionary: true)
        #expect(try Self.read(.greek, ["el": tax], score: 2, confidence: 0.98).first?.text == "AB CD")
    }

    @Test func namedLanguagesMakeTheirScriptMoreProbable() throws {
        func text(_ options: ReadingOptions, known: Bool = true) throws -> String? {
            let answer = StubReader.Answer(words: ["До", "ма"], confidence: 0.9, isInDictionary: known)
            // By itself the line has a script that is not read with 0.39.
            return try Self.read(nil, ["ru": answer], options, score: 3, confidence: 0.98).first?.text
        }
        #expect(try text(ReadingOptions()) == "AB CD")
        #expect(try text(ReadingOptions(languages: ["ru"])) == "До ма")
        #expect(try text(ReadingOptions(languages: ["ru"]), known: false) == "AB CD")
        #expect(try text(ReadingOptions(languages: ["en"])) == "AB CD")
        #expect(try text(ReadingOptions(languageHints: ["ru"])) == "До ма")
    }

    @Test func oneWordProvesTheScriptBesideWhatIsReadForCertain() throws {
        func text(_ words: [String], known: Set<String>) throws -> String? {
            let answer = StubReader.Answer(words: words, confidence: 0.9, known: known)
            return try Self.read(ink: [.latin: 30], other: [.cyrillic: 6], ["ru": answer], confidence: 0.95)?.text
        }
        #expect(try text(["12", "дом"], known: ["дом"]) == "12 дом")
        #expect(try text(["12", "дом"], known: []) == "AB CD")
        #expect(try text(["12", "ТОР"], known: ["ТОР"]) == "AB CD")
        // One known word in a line of others is chance.
        #expect(try text(["дом", "гдбежк"], known: ["дом"]) == "AB CD")
    }

    @Test func aNameThatIsLatinByItselfIsReadByTheNetworks() throws {
        /// Reads a line that is Cyrillic as a whole, and of which a part has some script by itself.
        func text(_ script: Script, confidence: Float = 0.9, known: Set<String> = ["где"]) throws -> String? {
            let model = StubModel<BFloat16>(PrintedPage.recognizer().answer) { shape, _ in
                let own = ScriptScores.Class.script(shape.width < 160 ? script : .cyrillic)
                return (0..<shape.width / 8).flatMap { _ in ScriptScores.classes.map { $0 == own ? Float(12) : 0 } }
            }
            let line = PrintedPage.Line(text: "DCB DCB", x: 40, y: 60, height: 40)
            let answer = StubReader.Answer(words: ["где", "умк"], confidence: confidence, known: known)
            return try Self.read(
                by: model,
                with: StubReader(answers: ["ru": answer]),
                pixels: PrintedPage(width: 320, height: 160, [line]).pixels
            ).first?.text
        }
        #expect(try text(.latin) == "где DCB")
        #expect(try text(.cyrillic) == "где умк")
        // What the reader is sure of, or its dictionary has, is no name.
        #expect(try text(.latin, confidence: 0.96) == "где умк")
        #expect(try text(.latin, known: ["где", "умк"]) == "где умк")
        // Nothing of the other script would be left.
        #expect(try text(.latin, known: []) == "где умк")
    }

    @Test func theMostProbableScriptsWithANameAreTried() throws {
        func line(_ answers: KeyValuePairs<String, StubReader.Answer>) throws -> TextLine? {
            let scores: [Script?: Float] = [nil: 12, .hebrew: 11, .cyrillic: 10.8]
            return try Self.read(ink: scores, other: scores, answers)
        }
        func answer(_ confidence: Float, isInDictionary: Bool = false) -> StubReader.Answer {
            StubReader.Answer(words: ["До", "ма"], confidence: confidence, isInDictionary: isInDictionary)
        }
        #expect(try line(["ru": answer(0.95)])?.text == "До ма")
        #expect(try line(["ru": answer(0.88)])?.reason == .scriptUnavailable)
        #expect(try line(["ru": answer(0.88, isInDictionary: true)])?.text == "До ма")
        #expect(try line(["ka": answer(0.95)])?.script == "Zzzz")
    }

    @Test func theMostConfidentLanguageOfThoseAllowedIsTaken() throws {
        let answers: KeyValuePairs = [
            "ru": StubReader.Answer(words: ["До", "мi"], confidence: 0.8),
            "uk": StubReader.Answer(words: ["До", "мі"], confidence: 0.93),
        ]
        func text(_ languages: [String]) throws -> String? {
            try Self.read(.cyrillic, answers, ReadingOptions(languages: languages)).first?.text
        }
        #expect(try text([]) == "До мі")
        #expect(try text(["ru-RU", "de"]) == "До мi")
        #expect(try text(["ru", "uk"]) == "До мі")
        let hint = ReadingOptions(languageHints: ["ru"])
        #expect(try Self.read(.cyrillic, answers, hint).first?.text == "До мi")
        #expect(try Self.read(.cyrillic, answers, ReadingOptions(languageHints: ["ko"])).first?.text == "До мі")
        // No language of the script is expected.
        #expect(try text(["de"]) == "")
    }

    @Test func theDictionaryDecidesBetweenLanguagesThatAreNearlyAsConfident() throws {
        func text(ru: Float, uk: Float, _ words: [String] = ["Город", "мост"]) throws -> String? {
            let answers: KeyValuePairs = [
                "ru": StubReader.Answer(words: ["Горал", "масл"], confidence: ru),
                "uk": StubReader.Answer(words: words, confidence: uk, isInDictionary: true),
            ]
            return try Self.read(.cyrillic, answers).first?.text
        }
        #expect(try text(ru: 0.92, uk: 0.85) == "Город мост")
        #expect(try text(ru: 0.95, uk: 0.6) == "Горал масл")
        // So short words are in every dictionary.
        #expect(try text(ru: 0.92, uk: 0.85, ["До", "мі"]) == "Горал масл")
    }

    @Test func aLineThatRunsLeftBeginsAtTheRight() throws {
        let line = try #require(
            try Self.read(.hebrew, ["he": StubReader.Answer(words: ["אב", "גד"], runsLeft: true)]).first
        )
        #expect(line.words.map(\.text) == ["אב", "גד"])
        #expect(line.words[0].box.topLeft.x > line.words[1].box.topLeft.x)
        for box in [line.box, line.words[0].box, line.words[0].characters[0].box] {
            #expect(box.topLeft.x > box.topRight.x)
            #expect(box.topLeft.y < box.bottomLeft.y)
        }
    }
}
