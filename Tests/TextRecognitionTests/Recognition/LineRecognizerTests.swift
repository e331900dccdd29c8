import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct LineRecognizerTests {
    private static let alphabet = Alphabet(list: "A\nB\nC")

    private struct Run {
        var line: RecognizedLine
        var shapes: [InputShape]
    }

    /// Recognizes a line of `width` x 48 with a network that emits `steps`.
    private static func recognize(
        width: Float,
        alphabet: Alphabet = alphabet,
        languages: [String] = [],
        candidates: Int = 1,
        _ steps: [Int: (label: Int, probability: Float)]
    ) throws -> Run {
        let model = StubModel.recognizer(classCount: alphabet.count, steps: steps)
        let recognizer = LineRecognizer(RecognizerModel(model: model, alphabet: alphabet))
        let lines = try PixelBuffer(width: 32, height: 32, format: .gray).withPixels { view in
            try recognizer.recognize(
                [Quad(x: 3, y: 5, width: width, height: 48)],
                in: view,
                options: ReadingOptions(languages: languages, candidates: candidates),
                images: [LineImage()]
            )
        }
        return Run(line: try #require(lines.first), shapes: model.shapes)
    }

    @Test(arguments: [(1, 96), (96, 96), (115, 96), (116, 128), (288, 240), (289, 320), (2400, 2400), (9000, 2400)])
    func aLineIsReadInTheLeastWidthThatHoldsItNarrowed(width: Float, expected: Int) throws {
        let run = try Self.recognize(width: width, [:])
        #expect(run.shapes == [InputShape(height: 48, width: expected)])
        #expect(run.line.width == max(8, min(Int(width), expected)))
    }

    @Test func charactersOfANarrowedLineLieWhereTheyAreInTheFrame() throws {
        let line = try Self.recognize(width: 105, [0: (1, 0.9), 11: (2, 0.9)]).line
        #expect(line.characters.map(\.centre).difference(from: [4, 92]) < 1e-3)
        #expect(line.map(line.characters[1].centre, 24).distance(to: Point(x: 3 + 92 * 105 / 96, y: 29)) < 0.01)
    }

    @Test func charactersLieWhereTheirStepsAreInTheLine() throws {
        let line = try Self.recognize(width: 125, [2: (1, 0.9), 7: (2, 0.8), 8: (2, 0.8), 15: (3, 1)]).line
        #expect(line.characters.map(\.label) == [1, 2, 3])
        #expect(line.characters.map(\.centre).difference(from: [20, 64, 124]) < 1e-3)
        #expect(abs(line.confidence - 0.9) < 0.003)
        #expect(line.width == 125)
        #expect(line.candidates.isEmpty)
        #expect(line.map(75, 24).distance(to: Point(x: 78, y: 29)) < 0.01)
    }

    @Test func whatIsSeenInTheMarginLiesAtTheLinesEnd() throws {
        let line = try Self.recognize(width: 30, [1: (1, 0.9), 4: (2, 0.9), 8: (3, 0.9)]).line
        #expect(line.characters.map(\.label) == [1, 2, 3])
        #expect(line.characters.map(\.centre).difference(from: [12, 29.5, 29.5]) < 1e-3)
        #expect(line.characters.allSatisfy { line.span.contains($0.centre) })
    }

    @Test func aLineCarriesTheAlphabetThatItWasReadWith() throws {
        let alphabet = Alphabet(list: "X\nY")
        let line = try Self.recognize(width: 90, alphabet: alphabet, [2: (2, 0.9)]).line
        #expect(line.alphabet.characters == alphabet.characters)
        #expect(line.characters.map { line.alphabet.characters[$0.label] } == ["Y"])
    }

    @Test(arguments: [true, false])
    func aLineCarriesTheDictionaryWhereItsWordsCount(isCorrected: Bool) throws {
        let model = StubModel.recognizer(classCount: Self.alphabet.count, steps: [2: (1, 0.9)])
        let words = WordFilter(of: ["abc"])
        let recognizer = LineRecognizer(RecognizerModel(model: model, alphabet: Self.alphabet, words: words))
        let lines = try PixelBuffer(width: 32, height: 32, format: .gray).withPixels { view in
            try recognizer.recognize(
                [Quad(x: 3, y: 5, width: 90, height: 48)],
                in: view,
                options: ReadingOptions(languageCorrection: isCorrected),
                images: [LineImage()]
            )
        }
        #expect((lines[0].dictionary != nil) == isCorrected)
    }

    @Test func spacesAtEitherEndAreTrimmedAndThoseBetweenKept() throws {
        let space = Self.alphabet.count - 1
        let line = try Self.recognize(
            width: 150,
            [0: (space, 0.9), 2: (1, 0.9), 5: (space, 0.9), 7: (2, 0.9), 9: (space, 0.9), 11: (space, 0.9)]
        ).line
        #expect(line.characters.map(\.label) == [1, space, 2])
    }

    @Test func aLineOfSpacesHasNoText() throws {
        let line = try Self.recognize(width: 150, candidates: 3, [3: (Self.alphabet.count - 1, 0.9)]).line
        #expect(line.characters.isEmpty)
        #expect(line.confidence == 0)
        #expect(line.candidates.isEmpty)
    }

    @Test func candidatesAreReportedOnRequest() throws {
        let line = try Self.recognize(width: 90, candidates: 3, [2: (1, 0.9), 7: (2, 0.6)]).line
        #expect(line.candidates.count == 6)
        #expect(line.candidates.first?.text == "AB")
        #expect(zip(line.candidates, line.candidates.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    }

    @Test func classesThatNoLanguageUsesAreNotRead() throws {
        let steps = [2: (label: 1, probability: Float(0.9)), 7: (label: 2, probability: Float(0.9))]
        let line = try Self.recognize(
            width: 90,
            alphabet: Alphabet(list: "Ä\nB\nÖ"),
            languages: ["en"],
            candidates: 2,
            steps
        ).line
        #expect(line.characters.map(\.label) == [2])
        #expect(line.candidates.allSatisfy { $0.text.filter { $0 != " " }.allSatisfy { $0 == "B" } })
    }

    @Test func aNetworkThatFailsIsReported() throws {
        let model = StubModel<BFloat16> { _, _ throws(RecognitionError) in
            throw RecognitionError(.inferenceFailed, "broken")
        }
        let recognizer = LineRecognizer(RecognizerModel(model: model, alphabet: Self.alphabet))
        let picture = PixelBuffer(width: 32, height: 32, format: .gray)
        #expect(throws: RecognitionError(.inferenceFailed, "")) {
            try picture.withPixels { view in
                _ = try recognizer.recognize(
                    [Quad(x: 0, y: 0, width: 30, height: 10)],
                    in: view,
                    options: ReadingOptions(),
                    images: [LineImage()]
                )
            }
        }
    }

    @Test func candidatesHaveTheLettersOfTheirLineToo() throws {
        // An é directly before an e, where English has no é.
        let alphabet = Alphabet(list: "n\né\ne")
        let steps = [1: (label: 1, probability: Float(0.9)), 4: (2, 0.9), 5: (3, 0.9)]
        let line = try Self.recognize(width: 96, alphabet: alphabet, languages: ["en"], candidates: 2, steps).line
        #expect(line.characters.map { alphabet.characters[$0.label] }.joined() == "nee")
        #expect(line.candidates.first?.text == "nee")
    }
}
