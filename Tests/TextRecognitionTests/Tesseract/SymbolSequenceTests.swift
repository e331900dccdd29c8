import TextRecognition
import Testing

@testable import TextRecognitionTesseract

/// Readings of what Tesseract recognizes.
@Suite struct SymbolSequenceTests {
    /// Symbols of one or more code points, each ten columns wide, from the left or from the right.
    private static func symbols(_ texts: [String], runsLeft: Bool = false) -> [SymbolSequence.Symbol] {
        texts.indices.map { index in
            let left = Float(10 * (runsLeft ? texts.count - 1 - index : index))
            return SymbolSequence.Symbol(
                text: texts[index],
                confidence: 0.9,
                wordConfidence: 0.8,
                left: left,
                right: left + 10
            )
        }
    }

    private static func reading(_ texts: [String], spacedAs line: String, runsLeft: Bool = false) -> ScriptReading {
        let symbols = Self.symbols(texts, runsLeft: runsLeft)
        return SymbolSequence(symbols, width: Float(10 * texts.count)).reading(spacedAs: line)
    }

    @Test func wordsEndWhereTheLineHasSpaces() {
        let reading = Self.reading(["Д", "о", "м", "а"], spacedAs: "До ма\n")
        #expect(reading.text == "До ма")
        #expect(reading.words.map(\.characters.count) == [2, 2])
        #expect(reading.words[1].characters[0].columns == 20..<30)
        #expect(reading.words[0].confidence == 0.8)
        // Hangul has a word of Tesseract's for each syllable.
        #expect(Self.reading(["다", "람", "쥐"], spacedAs: "다람쥐").words.count == 1)
    }

    @Test func charactersAreGraphemeClusters() {
        let reading = Self.reading(["क", "\u{94D}", "ष", "\u{93F}", "ण"], spacedAs: "क्षिण")
        #expect(reading.words.map { $0.characters.map(\.text) } == [["क्षि", "ण"]])
        #expect(reading.words[0].characters.map(\.columns) == [0..<40, 40..<50])
        let thai = Self.reading(["ต", "\u{E49}", "น"], spacedAs: "ต้น")
        #expect(thai.words[0].characters.map(\.text) == ["ต้", "น"])
    }

    @Test func textThatRunsLeftIsInLogicalOrder() {
        let reading = Self.reading(["א", "ב", "ג", "ד"], spacedAs: "\u{200F}אב גד\u{200F}\n", runsLeft: true)
        #expect(reading.words.map(\.text) == ["אב", "גד"])
        #expect(reading.words[0].characters.map(\.columns) == [30..<40, 20..<30])
    }

    @Test func boxesDoNotReachBackOverEarlierCharacters() {
        var symbols = Self.symbols(["а", "б", "в", "г"])
        (symbols[2].left, symbols[2].right) = (0, 200)
        let reading = SymbolSequence(symbols, width: 40).reading(spacedAs: "абвг")
        #expect(reading.words[0].characters.map(\.columns) == [0..<10, 10..<20, 20..<30, 30..<40])
    }

    @Test func numbersInTextThatRunsLeftRunRight() {
        // As a reader sees it: ה2 03-4 ב, from the right.
        let texts = ["ב", "0", "3", "-", "4", "ה", "2"]
        let lefts: [Float] = [60, 20, 30, 40, 50, 10, 0]
        let symbols = zip(texts, lefts).map {
            SymbolSequence.Symbol(text: $0, confidence: 0.9, wordConfidence: 0.8, left: $1, right: $1 + 10)
        }
        let reading = SymbolSequence(symbols, width: 70).reading(spacedAs: "ב 03-4 ה2")
        #expect(reading.words.map(\.text) == ["ב", "03-4", "ה2"])
        #expect(reading.words.flatMap { $0.characters.map(\.columns.lowerBound) } == lefts)
        #expect(reading.words.flatMap(\.characters).allSatisfy { $0.columns.upperBound - $0.columns.lowerBound == 10 })
    }

    @Test(
        arguments: [
            (["אב", "12", "גד"], [[0, 1, 4, 5], [2, 3]]),
            (["אבגדה,", "Ab", "cd"], [[0, 1, 2, 3, 4, 5], [6, 7], [8, 9]]),
            (["12", "34"], [[0, 1, 2, 3]]), (["Ab", "ג"], [[0, 1, 2]]), (["عام", "۱۲"], [[0, 1, 2], [3, 4]]),
        ] as [([String], [[Int]])]
    )
    func eachWordThatRunsAgainstItsLineIsARun(words: [String], runs: [[Int]]) {
        #expect(DirectionRun.runs(of: words.map { $0.map(String.init) }).map(\.indices) == runs)
    }

    @Test func lettersHaveTheFormThatKeyboardsHave() {
        let reading = Self.reading(["\u{B5}", "έ", "τ", "ϱ", "α", "："], spacedAs: "\u{B5}έτϱα：")
            .withUsualLetters(of: "ell")
        #expect(reading.text == "\u{3BC}έτρα:")
        #expect(Self.reading(["ㅋ", "և"], spacedAs: "ㅋ և").withUsualLetters(of: "kor").text == "ㅋ և")
        let old = Self.reading(["Ş", "t", "i", "i", "n", "ţ", "a"], spacedAs: "Ştiinţa")
        #expect(old.withUsualLetters(of: "ron").text == "Știința")
        #expect(old.withUsualLetters(of: "tur").text == "Ştiinţa")
    }

    @Test func marksThatOnlySteerAScreenAreDropped() {
        let reading = Self.reading(["வ", "\u{BCD}\u{200C}", "த"], spacedAs: "வ்\u{200C} த")
        #expect(reading.words.map(\.text) == ["வ்", "த"])
        let question = Self.reading(["வ", "\u{BCD}\u{200C}", "?"], spacedAs: "வ்\u{200C}?")
        #expect(question.words.map(\.text) == ["வ்?"])
        #expect(Self.reading(["\u{200E}"], spacedAs: "\u{200E}").words.isEmpty)
        #expect(Self.reading([], spacedAs: "").words.isEmpty)
    }
}
