import Glibc
import ImageCodecs
import TextModel
import Testing

@testable import TextRecognition

/// Lines in scripts that the models do not read.
@Suite struct UnreadableLineTests {
    /// A recognizer of printed pages whose second output has scores of scripts, by the direction of a line.
    static func model(
        upright: Script?,
        upsideDown: Script? = nil,
        score: Float = 12,
        confidence: Float = 0.6,
        upsideDownConfidence: Float? = nil
    ) -> StubModel<BFloat16> {
        let model = PrintedPage.recognizer(confidence: confidence, upsideDownConfidence: upsideDownConfidence)
        return StubModel(model.answer) { shape, input in
            // The lower half of a letter is red, the upper one dark.
            let isUpright = (0..<shape.width).contains { column in
                input[shape.index(column, 28, 0)] < 20 && (110..<130).contains(input[shape.index(column, 28, 2)])
            }
            let script = isUpright ? upright : upsideDown
            let place = script.flatMap { ScriptScores.classes.firstIndex(of: .script($0)) } ?? 0
            return (0..<shape.width / 8).flatMap { _ in ScriptScores.classes.indices.map { $0 == place ? score : 0 } }
        }
    }

    static let policy = Self.policy(reads: [.latin, .han])

    private static func policy(reads scripts: Set<Script>) -> ScriptPolicy {
        ScriptPolicy(readable: scripts, probability: 0.9, certainProbability: 0.995, confidence: 0.8)
    }

    private static let sign = PrintedPage.Line(text: "AB CD", x: 60, y: 60, height: 40)

    private struct Outcome {
        var lines: [TextLine]
        var runs: Int
        var secondRuns: Int
    }

    private static func read(
        _ script: Script?,
        sentAs orientation: Orientation = .up,
        hasCascade: Bool = false,
        secondScript: Script? = nil,
        secondReads: Set<Script> = [.latin, .han],
        columns: Int = .max,
        _ options: ReadingOptions = ReadingOptions()
    ) throws -> Outcome {
        let (model, second) = (Self.model(upright: script), Self.model(upright: secondScript))
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(model: model, alphabet: PrintedPage.alphabet, scripts: Self.policy),
                second: hasCascade
                    ? CascadeStage(
                        RecognizerModel(
                            model: second,
                            alphabet: PrintedPage.alphabet,
                            scripts: Self.policy(reads: secondReads)
                        ),
                        policy: RejectionPolicy(
                            minCharacterConfidence: 0.8,
                            minLineConfidence: 0.8,
                            maxColumns: columns
                        )
                    ) : nil
            )
        ])
        let page = PrintedPage(width: 320, height: 160, [Self.sign])
        let lines = try page.pixels.sent(as: orientation).withPixels { view in
            try reader.read(view, orientation: .up, options: options).lines
        }
        return Outcome(lines: lines, runs: model.shapes.count, secondRuns: second.shapes.count)
    }

    @Test func aLineInAnUnavailableScriptHasItsBoxesAndNoText() throws {
        let outcome = try Self.read(.cyrillic)
        let line = try #require(outcome.lines.first)
        #expect(outcome.lines.count == 1)
        #expect((line.text, line.script, line.reason) == ("", "Cyrl", .scriptUnavailable))
        #expect(line.confidence > 0.9)
        #expect(line.scores?.recognition == nil)
        #expect(line.words.map(\.text) == ["", ""])
        #expect(line.words.map(\.characters.count) == [2, 2])
        let letters = line.words.flatMap(\.characters).map(\.box)
        for (box, drawn) in zip(letters, Self.sign.letters) { #expect(box.intersectionOverUnion(with: drawn) > 0.6) }
        // The direction is known with the script, and what was read of it is of no use to the second network.
        #expect(outcome.runs == 1)
    }

    @Test func anAvailableScriptIsRead() throws {
        let outcome = try Self.read(nil)
        #expect(outcome.lines.map(\.text) == ["AB CD"])
        #expect(outcome.lines.first?.reason == nil)
    }

    @Test func itIsOmittedWhereTheClientAsksForThat() throws {
        #expect(try Self.read(.cyrillic, ReadingOptions(unreadable: .omit)).lines.isEmpty)
        #expect(try Self.read(nil, ReadingOptions(unreadable: .omit)).lines.map(\.text) == ["AB CD"])
    }

    @Test func itsDirectionIsThatInWhichItsScriptIsKnown() throws {
        let outcome = try Self.read(.thai, sentAs: .down)
        let line = try #require(outcome.lines.first)
        #expect(line.script == "Thai")
        #expect(line.box.topLeft.x > line.box.topRight.x)
    }

    /// Of what is no text to the network, a wide line that is probably in another script is not lost.
    ///
    /// With these scores, the probability of other scripts than Latin and Han is 0.954 and 0.94, below that of a certain one.
    @Test(
        arguments: [Orientation.up, .down],
        [
            (Float(3.9), "AB CD", Float(0.2), true), (3.53, "AB CD", 0.2, false), (3.9, "A", 0.2, false),
            (3.9, "AB CD", 0.6, nil),
        ] as [(Float, String, Float, Bool?)]
    )
    func aScriptThatIsNotCertainExplainsAWideLineThatIsNoText(
        orientation: Orientation,
        example: (score: Float, text: String, confidence: Float, isReported: Bool?)
    ) throws {
        let model = Self.model(upright: .thai, score: example.score, confidence: example.confidence)
        let policy = ScriptPolicy(
            readable: [.latin, .han],
            probability: 0.97,
            certainProbability: 0.998,
            confidence: 0.85
        )
        let reader = FrameReader([
            .fast: LevelModels(
                detector: PrintedPage.detector(),
                recognizer: RecognizerModel(model: model, alphabet: PrintedPage.alphabet, scripts: policy)
            )
        ])
        let line = PrintedPage.Line(text: example.text, x: 60, y: 60, height: 40)
        let page = PrintedPage(width: 320, height: 160, [line])
        func read(_ options: ReadingOptions) throws -> Reading {
            try page.pixels.sent(as: orientation).withPixels { view in
                try reader.read(view, orientation: .up, options: options)
            }
        }
        let lines = try read(ReadingOptions()).lines
        // What is text to the network is read.
        #expect(lines.map(\.text) == (example.isReported.map { $0 ? [""] : [] } ?? ["AB CD"]))
        guard example.isReported == true else { return }
        #expect(lines.map(\.script) == ["Thai"] && lines.map(\.reason) == [.scriptUnavailable])
        #expect((lines[0].box.topLeft.x < lines[0].box.topRight.x) == (orientation == .up))
        // It says too little to turn the picture.
        #expect(try read(ReadingOptions(upright: .auto)).orientation == .up)
    }

    @Test func aScriptThatTheSecondModelReadsExplainsNothing() throws {
        let model = Self.model(upright: .japanese, score: 3.9, confidence: 0.2)
        func lines(secondReads scripts: Set<Script>) throws -> [TextLine] {
            let reader = FrameReader([
                .fast: LevelModels(
                    detector: PrintedPage.detector(),
                    recognizer: RecognizerModel(
                        model: model,
                        alphabet: PrintedPage.alphabet,
                        scripts: ScriptPolicy(
                            readable: [.latin, .han],
                            probability: 0.97,
                            certainProbability: 0.998,
                            confidence: 0.85
                        )
                    ),
                    // There is no budget for a second reading.
                    second: CascadeStage(
                        RecognizerModel(
                            model: model,
                            alphabet: PrintedPage.alphabet,
                            scripts: Self.policy(reads: scripts)
                        ),
                        policy: RejectionPolicy(minCharacterConfidence: 0.8, minLineConfidence: 0.8, maxColumns: 0)
                    )
                )
            ])
            return try PrintedPage(width: 320, height: 160, [Self.sign]).pixels.withPixels { view in
                try reader.read(view, orientation: .up, options: ReadingOptions()).lines
            }
        }
        #expect(try lines(secondReads: [.latin, .han]).map(\.script) == ["Jpan"])
        #expect(try lines(secondReads: [.latin, .han, .japanese]).isEmpty)
    }

    @Test func itIsNotReadAgain() throws {
        let outcome = try Self.read(.cyrillic, hasCascade: true)
        #expect(outcome.lines.map(\.reason) == [.scriptUnavailable])
        #expect(outcome.secondRuns == 0)
    }

    @Test func theSecondNetworkMayKnowTheScript() throws {
        let outcome = try Self.read(nil, hasCascade: true, secondScript: .han)
        #expect(outcome.lines.map(\.reason) == [nil])
        let known = try Self.read(nil, hasCascade: true, secondScript: .hebrew)
        #expect(known.lines.map(\.script) == ["Hebr"])
        #expect(known.lines.map(\.reason) == [.scriptUnavailable])
        #expect(known.secondRuns > 0)
    }

    @Test func aScriptThatOnlyTheSecondNetworkReadsIsLeftToIt() throws {
        let reads: Set<Script> = [.latin, .han, .japanese]
        // It takes nothing from the budget, of which there is none.
        let outcome = try Self.read(.japanese, hasCascade: true, secondReads: reads, columns: 0)
        #expect(outcome.lines.map(\.text) == ["AB CD"])
        #expect(outcome.lines.map(\.reason) == [nil])
        #expect(outcome.secondRuns == 1)
        let unread = try Self.read(.japanese, hasCascade: true, columns: 0)
        #expect(unread.lines.map(\.reason) == [.scriptUnavailable])
        #expect(unread.secondRuns == 0)
    }

    @Test func latinThatLooksGreekIsLatin() {
        func script(_ script: Script, _ text: String) -> String? {
            var line = RecognizedLine(
                alphabet: PrintedPage.alphabet,
                map: Homography(width: 8, height: 48, to: Quad(x: 0, y: 0, width: 8, height: 48)),
                width: 200
            )
            line.characters = text.compactMap { letter in
                PrintedPage.alphabet.label(of: String(letter)).map {
                    CTCCharacter(label: $0, confidence: 0.6, centre: 0)
                }
            }
            let scores = LineScores(whole: ScriptScores(unavailableProbability: 0.999, script: script))
            let unread = Self.policy.unavailableScript(of: scores, line, ReadingOptions())
            return unread.flatMap { $0.isVague ? nil : $0.code }
        }
        #expect(script(.greek, "ABBA") == nil)
        #expect(script(.greek, "ABCD") == "Grek")
        #expect(script(.greek, "CD") == nil)
        #expect(script(.cyrillic, "ABBA") == "Cyrl")
    }

    @Test func whatTheClientExpectsIsRead() throws {
        let characters = ReadingOptions(allowedCharacters: AllowedCharacters("A-D"))
        #expect(try Self.read(.cyrillic, characters).lines.map(\.text) == ["AB CD"])
        #expect(try Self.read(.cyrillic, ReadingOptions(customWords: ["CD"])).lines.map(\.text) == ["AB CD"])
        #expect(try Self.read(.cyrillic, ReadingOptions(customWords: ["CE"])).lines.map(\.text) == [""])
    }

    @Test func aCertainReadingAndAShortLineStand() {
        func script(_ probability: Float, confidence: Float, width: Int = 200, isExpected: Bool = false) -> String? {
            var line = RecognizedLine(
                alphabet: PrintedPage.alphabet,
                map: Homography(width: 8, height: 48, to: Quad(x: 0, y: 0, width: 8, height: 48)),
                width: width
            )
            line.confidence = confidence
            let scores = LineScores(whole: ScriptScores(unavailableProbability: probability, script: .cyrillic))
            let prior: ScriptPrior = isExpected ? .lines : .none
            let script = Self.policy.unavailableScript(of: scores, line, ReadingOptions(), prior: prior)
            return script.flatMap { $0.isCertain ? $0.code : nil }
        }
        #expect(script(0.95, confidence: 0.7) == "Cyrl")
        #expect(script(0.85, confidence: 0.7) == nil)
        #expect(script(0.95, confidence: 0.9) == nil)
        #expect(script(0.999, confidence: 0.9) == "Cyrl")
        // A short line needs more, or other lines of the frame that say the same.
        #expect(script(0.999, confidence: 0.7, width: 96) == "Cyrl")
        #expect(script(0.99, confidence: 0.7, width: 96) == nil)
        #expect(script(0.99, confidence: 0.7, width: 96, isExpected: true) == "Cyrl")
        #expect(script(0.999, confidence: 0.9, width: 96) == nil)
        #expect(script(0.999, confidence: 0.9, width: 96, isExpected: true) == nil)
        #expect(script(0.999, confidence: 0.7, width: 72) == nil)
        #expect(script(0.999, confidence: 0.7, width: 72, isExpected: true) == "Cyrl")
    }

    @Test func aShortLineIsSuspectedOfAScriptThatWordsHaveToProve() {
        func script(_ probability: Float, rest: Float? = nil, width: Int = 72, _ prior: ScriptPrior = .none)
            -> UnavailableScript?
        {
            let line = RecognizedLine(
                alphabet: PrintedPage.alphabet,
                map: Homography(width: 8, height: 48, to: Quad(x: 0, y: 0, width: 8, height: 48)),
                width: width
            )
            let scores = LineScores(
                whole: ScriptScores(unavailableProbability: probability, script: .cyrillic),
                rest: rest.map { ScriptScores(unavailableProbability: $0, script: .cyrillic) }
            )
            return Self.policy.unavailableScript(of: scores, line, ReadingOptions(), prior: prior)
        }
        #expect(script(0.75).map { [$0.isVague, $0.isCertain, $0.isMixed] } == [true, false, false])
        #expect(script(0.999).map { [$0.isVague, $0.isCertain, $0.isMixed] } == [true, false, false])
        #expect(script(0.65) == nil)
        #expect(script(0.6, width: 200)?.isVague == false)
        // So are lines that the client's languages make probable, and what stands beside certain characters.
        #expect(script(0.999, width: 200, .languages).map { [$0.isVague, $0.isCertain] } == [true, false])
        #expect(
            script(0.1, rest: 0.95, width: 200).map { [$0.isVague, $0.isCertain, $0.isMixed] } == [true, false, true]
        )
        #expect(script(0.6, rest: 0.95, width: 200).map { [$0.isVague, $0.isMixed] } == [false, true])
        #expect(script(0.1, rest: 0.8, width: 200) == nil)
    }

    @Test func aLineOfWhichASectionIsReadIsRead() throws {
        let read = try #require(try Self.read(nil).lines.first)
        var unread = try #require(try Self.read(.cyrillic).lines.first)
        unread = unread.moved(right: 300)
        let both = read.joined(with: unread)
        #expect((both.text, both.reason, both.script) == ("AB CD", nil, "Latn"))
        #expect(both.words.map(\.text) == ["AB", "CD", "", ""])
        let neither = unread.joined(with: unread.moved(right: 300))
        #expect((neither.text, neither.reason, neither.script) == ("", .scriptUnavailable, "Cyrl"))
    }
}

extension ScriptScores {
    init(unavailableProbability: Float, script: Script?) {
        let place = Self.classes.firstIndex(of: .script(script)) ?? 0
        let score = log(unavailableProbability / (1 - unavailableProbability))
        // All else has the first class, which is read.
        let scores = Self.classes.indices.map { index in
            BFloat16(bitPattern: UInt16((index == place ? score : index == 0 ? 0 : -64).bitPattern >> 16))
        }
        guard let known = scores.withUnsafeBufferPointer({ Self($0, steps: 0..<1) }) else {
            preconditionFailure("the scores have one number for each class")
        }
        self = known
    }
}

extension TextLine {
    fileprivate func moved(right: Float) -> TextLine {
        var line = self
        func moved(_ box: Quad) -> Quad { box.mapCorners { Point(x: $0.x + right, y: $0.y) } }
        line.box = moved(line.box)
        for word in line.words.indices { line.words[word].box = moved(line.words[word].box) }
        return line
    }
}
