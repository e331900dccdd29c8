import TextModel
import Testing

@testable import TextRecognition

@Suite struct LexiconTests {
    private static let alphabet = Alphabet(list: "c\na\nt\nr\no\n.\n1")

    private static func read(
        _ letters: [SpelledLine.Letter],
        _ customWords: [String],
        languages: [String] = []
    ) throws -> TextLine? {
        let options = ReadingOptions(languages: languages, customWords: customWords, candidates: 2)
        return try SpelledLine(letters: letters, alphabet: Self.alphabet).read(options)
    }

    @Test func aWordWinsACloseCall() throws {
        let cot: [(String, String, Float)] = [("c", "c", 0), ("o", "a", 0.1), ("t", "t", 0)]
        #expect(try Self.read(cot, [])?.text == "cot")
        let line = try #require(try Self.read(cot, ["rat", "cat"]))
        #expect(line.text == "cat")
        #expect(line.words.map(\.text) == ["cat"])
        #expect(line.words[0].characters.map(\.text) == ["c", "a", "t"])
        #expect(abs(line.words[0].characters[1].confidence - 0.1) < 0.003)
        #expect(abs(line.confidence - 2.1 / 3) < 0.003)
        #expect(line.candidates.first?.text == "cat")
        #expect(line.candidates.contains { $0.text == "cot" })
    }

    @Test func aWordDoesNotWinWithoutEvidence() throws {
        #expect(try Self.read([("c", "c", 0), ("o", "a", 0.0005), ("t", "t", 0)], ["cat"])?.text == "cot")
        #expect(try Self.read([("c", "c", 0), ("o", "a", 0.003), ("t", "t", 0)], ["cat"])?.text == "cat")
    }

    @Test func aWordOfTheLexiconIsLeftAsItIs() throws {
        #expect(try Self.read([("c", "c", 0), ("o", "a", 0.4), ("t", "t", 0)], ["cat", "cot"])?.text == "cot")
    }

    @Test func theBestOfSeveralWordsWins() throws {
        let read: [(String, String, Float)] = [("c", "r", 0.1), ("o", "a", 0.3), ("t", "t", 0)]
        #expect(try Self.read(read, ["rot", "cat"])?.text == "cat")
        #expect(try Self.read(read, ["rot"])?.text == "rot")
    }

    @Test func aLetterMayBeMissingOrTooMuch() throws {
        let missing: [(String, String, Float)] = [("c", "c", 0), ("a", "a", 0), ("r", "r", 0), ("t", ".", 0.2)]
        #expect(try Self.read(missing, ["car."])?.text == "car.")
        // The network saw the letter, and a gap with slightly more confidence.
        let alphabetWithGap: [(String, String, Float)] = [("c", "c", 0), ("", "a", 0.2), ("t", "t", 0)]
        #expect(try Self.read(alphabetWithGap, [])?.text == "ct")
        #expect(try Self.read(alphabetWithGap, ["cat"])?.text == "cat")
    }

    @Test func punctuationAroundAWordIsKept() throws {
        let read: [(String, String, Float)] = [("c", "c", 0), ("o", "a", 0.1), ("t", "t", 0), (".", ".", 0)]
        #expect(try Self.read(read, ["cat"])?.text == "cat.")
        #expect(try Self.read(read, ["cot"])?.text == "cot.")
    }

    @Test func otherWordsOfTheLineAreLeft() throws {
        let read: [(String, String, Float)] = [
            ("c", "c", 0), ("o", "a", 0.1), ("t", "t", 0), (" ", " ", 0), ("r", "r", 0), ("o", "o", 0), ("t", "t", 0),
        ]
        let line = try #require(try Self.read(read, ["cat"]))
        #expect(line.text == "cat rot")
        #expect(line.words.map(\.text) == ["cat", "rot"])
    }

    @Test func aWordThatMayNotBeReadDoesNotWin() {
        let allowed = ClassMask(labels: [1, 2, 3])
        #expect(Lexicon(["cat", "rat"], in: Self.alphabet, allowed: allowed).words == [[1, 2, 3]])
        #expect(Lexicon(["cäsar"], in: Self.alphabet, allowed: nil).words.isEmpty)
    }
}
