import Foundation
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct RecognitionCascadeTests {
    private static let alphabet = Alphabet(list: "a\nb\nc")

    /// A line of characters 20 pixels apart; the rejected ones are capital letters.
    private static func line(_ text: String, width: Int? = nil, in alphabet: Alphabet = Self.alphabet) throws
        -> RecognizedLine
    {
        let width = width ?? 20 * text.count
        let corners = [(0, 0), (width, 0), (width, 48), (0, 48)].map { Point(x: Float($0.0), y: Float($0.1)) }
        let quad = Quad(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
        var line = RecognizedLine(
            alphabet: alphabet,
            map: Homography(width: Float(width), height: 48, to: quad),
            width: width
        )
        line.characters = try text.enumerated().map { index, character in
            CTCCharacter(
                label: try #require(alphabet.label(of: character.lowercased())),
                confidence: character.isUppercase ? 0.3 : 0.9,
                centre: 20 * Float(index) + 10
            )
        }
        line.confidence = line.characters.meanConfidence
        return line
    }

    private static func text(_ line: RecognizedLine) -> String {
        line.characters.map { line.alphabet.characters[$0.label] }.joined()
    }

    private static func second(in alphabet: Alphabet = Self.alphabet) -> RecognitionCascade {
        RecognitionCascade(
            recognizer: LineRecognizer(RecognizerModel(model: PrintedPage.recognizer(), alphabet: alphabet)),
            policy: RejectionPolicy(minCharacterConfidence: 0.4, minLineConfidence: 0.7)
        )
    }

    /// Words of a line that are read again, as the texts of its spans.
    private static func rejectedTexts(
        _ text: String,
        in alphabet: Alphabet = Self.alphabet,
        _ options: ReadingOptions = ReadingOptions()
    ) throws -> [String] {
        let line = try Self.line(text)
        return Self.second(in: alphabet).rejectedSpans(of: line, options).map { span in
            String(zip(text, line.characters).filter { span.contains($0.1.centre) }.map(\.0))
                .trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func aLineIsRejectedForASingleCharacter() throws {
        let second = Self.second()
        #expect(!second.rejects(try Self.line("abc abc abc abc")))
        #expect(second.rejects(try Self.line("abc abc abC abc")))
        var unsureSpace = try Self.line("abc abc")
        unsureSpace.characters[3].confidence = 0.1
        #expect(!second.rejects(unsureSpace))
    }

    @Test func aLetterByItselfIsRejectedSooner() throws {
        let model = RecognizerModel(model: PrintedPage.recognizer(), alphabet: Self.alphabet)
        let second = RecognitionCascade(
            recognizer: LineRecognizer(model),
            policy: RejectionPolicy(minCharacterConfidence: 0.4, minLoneConfidence: 0.95, minLineConfidence: 0.7)
        )
        #expect(!second.rejects(try Self.line("abc abc abc")))
        #expect(second.rejectedWords(of: try Self.line("a abc b abc c")) == 3)
        #expect(!Self.second().rejects(try Self.line("a abc b abc c")))
    }

    @Test func aLineIsRejectedForANearMiss() throws {
        var line = try Self.line("abc abc abc abc abc abc abc abc abc abc")
        line.characters[18].isBesideNearMiss = true
        #expect(Self.second().rejects(line))
        #expect(Self.second().rejectedWords(of: line) == 1)
        let spans = Self.second().rejectedSpans(of: line, ReadingOptions())
        #expect(spans.count == 1 && spans[0].contains(line.characters[18].centre) && spans != [line.span])
    }

    @Test(arguments: [("abc abc", 0), ("aBC abc", 1), ("Abc ab abC", 2), ("A B C", 3)])
    func wordsWithARejectedCharacterAreCounted(text: String, count: Int) throws {
        #expect(Self.second().rejectedWords(of: try Self.line(text)) == count)
    }

    @Test func aLineThatIsUnsureAsAWholeIsReadAgainAsAWhole() throws {
        var line = try Self.line("abc abc abc abc abC abc abc abc abc abc")
        line.confidence = 0.65
        #expect(Self.second().rejectedSpans(of: line, ReadingOptions()) == [line.span])
        line = try Self.line("abc")
        line.confidence = 0.65
        #expect(Self.second().rejects(line))
    }

    @Test func aHopelessLineIsNotRejected() throws {
        var line = try Self.line("ABC")
        #expect(Self.second().rejects(line))
        line.confidence = 0.1
        #expect(!Self.second().rejects(line))
    }

    @Test func shortLinesAreReadAgainAsAWhole() throws {
        #expect(try Self.rejectedTexts("abc Abc abc abc") == ["abc Abc abc abc"])
        #expect(try Self.rejectedTexts("aBc") == ["aBc"])
    }

    @Test func ofLongLinesTheRejectedWordsAreReadAgainWithTheirNeighbours() throws {
        #expect(try Self.rejectedTexts("abc abc abc abc abC abc abc abc abc abc") == ["abc abC abc"])
        #expect(try Self.rejectedTexts("abcabcabcA bc abc abc abc abc abc abc abc") == ["abcabcabcA"])
        #expect(try Self.rejectedTexts("Abc ab abc abc abc abc abc abc abc abC") == ["Abc ab abc", "abc abc abC"])
    }

    @Test func partsThatTouchAreOne() throws {
        #expect(try Self.rejectedTexts("abc abc abC abc abC abc abc abc abc abc abc abc") == ["abc abC abc abC abc"])
    }

    @Test func aLineThatIsMostlyRejectedIsReadAgainAsAWhole() throws {
        #expect(try Self.rejectedTexts("aBc abc abC abc aBc abc aBc").count == 1)
    }

    @Test func whatTheSecondAlphabetCannotSayOrAClientAsksForTakesTheWholeLine() throws {
        let text = "abc abc abc abc abC abc abc abc abc abc"
        #expect(try Self.rejectedTexts(text, in: Alphabet(list: "a\nb")) == [text])
        #expect(try Self.rejectedTexts(text, ReadingOptions(candidates: 3)) == [text])
        #expect(try Self.rejectedTexts(text, ReadingOptions(customWords: ["cab"])) == [text])
    }

    @Test func partsTakeTheirPlacesInTheLine() throws {
        let other = Alphabet(list: "c\nb\na\nd")
        let line = try Self.line("abc abC abc ABc")
        // Cut at the spaces; narrower than they are in the line.
        let spans: [Range<Float>] = [70..<150, 230..<300]
        let readings = [try Self.line("dad", width: 60, in: other), try Self.line("ad", width: 35, in: other)]
        let read = line.replacing(spans, with: readings)
        #expect(Self.text(read) == "abc dad abc ad")
        let expected: [Float] = [83.3, 110, 136.7]
        #expect(zip(read.characters[4...6], expected).allSatisfy { abs($0.centre - $1) < 0.1 })
        #expect(abs(read.confidence - 0.9) < 0.001)
        #expect(Self.text(line.replacing([line.span], with: [try Self.line("dd", in: other)])) == "dd")
    }
}
