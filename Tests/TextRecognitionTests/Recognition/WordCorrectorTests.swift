import TextModel
import Testing

@testable import TextRecognition

@Suite struct WordCorrectorTests {
    private static let alphabet = Alphabet(list: "E\nX\nI\nT\nF\ne\nx\ni\nt\n1\n7\n-\n.\nÉ\nP\nO\nN\nQ\nU\nA\nY\n'")

    /// Steps in which one letter of `text` is another one with a share.
    private static func steps(_ text: String, _ index: Int, _ second: String, _ share: Float) -> [SpelledLine.Letter] {
        text.enumerated().map { (String($1), $0 == index ? second : String($1), $0 == index ? share : 0) }
    }

    private static func read(
        _ letters: [SpelledLine.Letter],
        words: [String],
        _ options: ReadingOptions = ReadingOptions()
    ) throws -> TextLine? {
        try SpelledLine(letters: letters, alphabet: Self.alphabet).read(words: WordFilter(of: words), options)
    }

    @Test func aWordTakesThePlaceOfWhatIsNone() throws {
        let line = try #require(try Self.read(Self.steps("FXIT", 0, "E", 0.1), words: ["exit"]))
        #expect(line.text == "EXIT")
        #expect(line.words[0].characters.map(\.text) == ["E", "X", "I", "T"])
        #expect(abs(line.words[0].characters[0].confidence - 0.1) < 0.003)
        #expect(abs(line.confidence - 3.1 / 4) < 0.003)
    }

    @Test(arguments: ["exit.", "-Exit", "ÉXIT"])
    func aWordIsFoundInAnyCasesAndBesideMarks(_ text: String) throws {
        let index = try #require(text.indices.first { text[$0].lowercased() == "x" })
        let read = text.replacingCharacters(at: index, with: "t")
        let offset = text.distance(from: text.startIndex, to: index)
        #expect(try Self.read(Self.steps(read, offset, String(text[index]), 0.2), words: ["exit"])?.text == text)
    }

    @Test func aLetterMayBeMissingOrTooMuch() throws {
        let missing: [SpelledLine.Letter] = [("E", "E", 0), ("X", "X", 0), ("I", "I", 0), ("", "T", 0.2)]
        #expect(try Self.read(missing, words: [])?.text == "EXI")
        #expect(try Self.read(missing, words: ["exit"])?.text == "EXIT")
        #expect(try Self.read(Self.steps("EXITI", 4, "", 0.2), words: ["exit"])?.text == "EXIT")
    }

    @Test func aWordNeedsEvidence() throws {
        #expect(try Self.read(Self.steps("FXIT", 0, "E", 0.002), words: ["exit"])?.text == "FXIT")
    }

    @Test func aWordStaysAsItIs() throws {
        #expect(try Self.read(Self.steps("EXIT", 2, "A", 0.4), words: ["exit", "exat"])?.text == "EXIT")
        #expect(try Self.read(Self.steps("EXI", 2, "IT", 0.4), words: ["exi", "exit"])?.text == "EXI")
    }

    /// Codes, addresses and words in other cases than words have.
    @Test(arguments: ["F17T", "F.XIT", "1717", "FX"])
    func whatIsNoWordOfLettersStays(_ text: String) throws {
        #expect(try Self.read(Self.steps(text, 0, "E", 0.45), words: ["exit", "e17t", "extt"])?.text == text)
    }

    /// Names with a number, such as gate8.
    @Test(arguments: ["exit7", "7Exit"])
    func aWordWithADigitInFrontOrBehindStays(_ text: String) throws {
        let index = text.hasPrefix("7") ? 0 : text.count - 1
        for second in ["", "e"] {
            #expect(try Self.read(Self.steps(text, index, second, 0.4), words: ["exit", "exite"])?.text == text)
        }
    }

    @Test func aDigitInAWordIsCorrected() throws {
        #expect(try Self.read(Self.steps("EX1T", 2, "I", 0.2), words: ["exit"])?.text == "EXIT")
        #expect(try Self.read(Self.steps("EXI7", 3, "T", 0.2), words: ["exit"])?.text == "EXIT")
    }

    @Test(arguments: ["ONE-FXIT", "Q'FXIT"])
    func aPartOfACompoundIsCorrected(_ text: String) throws {
        let index = text.count - "FXIT".count
        let corrected = text.replacing("FXIT", with: "EXIT")
        #expect(try Self.read(Self.steps(text, index, "E", 0.2), words: ["one", "exit"])?.text == corrected)
    }

    @Test(arguments: ["Y.FXIT-ONE", "ONE-Y.FXIT"])
    func aPartOfAnAddressStays(_ text: String) throws {
        let index = text.distance(from: text.startIndex, to: try #require(text.firstIndex(of: "F")))
        #expect(try Self.read(Self.steps(text, index, "E", 0.2), words: ["one", "exit"])?.text == text)
    }

    @Test func aLetterThatIsLeftOutLeavesDoubt() throws {
        let line = try #require(try Self.read(Self.steps("EXITI", 4, "", 0.2), words: ["exit"]))
        #expect(line.words[0].characters[3].confidence < 0.25)
        #expect(line.words[0].characters[2].confidence > 0.99)
    }

    @Test func capitalsAreNotCorrected() throws {
        #expect(try Self.read(Self.steps("eXIT", 0, "E", 0.45), words: ["exit"])?.text == "eXIT")
        #expect(try Self.read(Self.steps("FxIT", 0, "E", 0.45), words: ["exit"])?.text == "FxIT")
    }

    @Test func aWordWithACapitalInsideStays() throws {
        #expect(try Self.read(Self.steps("eXite", 0, "", 0.45), words: ["xite", "exite"])?.text == "eXite")
    }

    @Test func otherWordsOfTheLineAreLeft() throws {
        let steps = Self.steps("FXIT", 0, "E", 0.1) + [(" ", " ", 0)] + Self.steps("QUAY", 0, "O", 0.1)
        let line = try #require(try Self.read(steps, words: ["exit"]))
        #expect(line.words.map(\.text) == ["EXIT", "QUAY"])
    }

    @Test(
        arguments: [
            ([], "EXIT"), (["de"], "EXIT"), (["nb", "en-GB"], "EXIT"), (["ja", "en"], "EXIT"), (["hr"], "EXIT"),
            (["uz"], "FXIT"), (["en", "oc"], "FXIT"), (["eo"], "FXIT"), (["auto"], "EXIT"),
        ] as [([String], String)]
    )
    func wordsOfLanguagesThatTheDictionaryLacksStay(languages: [String], text: String) throws {
        let steps = Self.steps("FXIT", 0, "E", 0.1)
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(languages: languages))?.text == text)
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(languageHints: languages))?.text == text)
    }

    @Test func whatIsLikeAnExpectedWordIsLeftToIt() throws {
        // FXPT differs from EXIT in two letters, and from what was read in one.
        let steps: [SpelledLine.Letter] = [("F", "E", 0.2), ("X", "X", 0), ("I", "P", 0.2), ("T", "T", 0)]
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(customWords: ["FXPT"]))?.text == "FXPT")
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(customWords: ["QUAY"]))?.text == "EXIT")
    }

    @Test func whatMayNotBeReadIsNoWord() throws {
        let steps = Self.steps("FXIT", 0, "E", 0.1)
        let restricted = ReadingOptions(allowedCharacters: AllowedCharacters("A-Z"))
        #expect(try Self.read(steps, words: ["exit"], restricted)?.text == "FXIT")
    }

    @Test func aClientSwitchesItOff() throws {
        let steps = Self.steps("FXIT", 0, "E", 0.1)
        let off = ReadingOptions(languageCorrection: false)
        #expect(try Self.read(steps, words: ["exit"])?.text == "EXIT")
        #expect(try Self.read(steps, words: ["exit"], off)?.text == "FXIT")
    }

    @Test func aWordThatAClientExpectsStays() throws {
        var steps = Self.steps("FXIF", 0, "E", 0.2)
        steps[3] = ("F", "T", 0.2)
        #expect(try Self.read(steps, words: ["exit"])?.text == "EXIT")
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(customWords: ["FXIF"]))?.text == "FXIF")
    }

    @Test func anExpectedWordNeedsEvidenceBesideACorrectedOne() throws {
        let steps = Self.steps("FXIT", 0, "E", 0.1)
        #expect(try Self.read(steps, words: ["exit"], ReadingOptions(customWords: ["OXIT"]))?.text == "EXIT")
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with text: String) -> String {
        String(self[..<index]) + text + String(self[self.index(after: index)...])
    }
}

extension WordFilter {
    /// Whether a word in small letters is in the filter.
    func contains(_ word: String) -> Bool {
        var hash = Hash()
        word.utf8.forEach { hash.append($0) }
        return self.contains(hash)
    }

    /// Filter of some words in small letters.
    init(of words: [String]) {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        for word in words {
            var hash = Hash()
            word.utf8.forEach { hash.append($0) }
            for bit in Self.bits(of: hash, count: 8 * bytes.count) { bytes[bit >> 3] |= 1 << UInt8(bit & 7) }
        }
        self.init(bytes)
    }
}
