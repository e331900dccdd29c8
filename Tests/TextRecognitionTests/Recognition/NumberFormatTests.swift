import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct NumberFormatTests {
    private static let box = Quad(x: 0, y: 0, width: 10, height: 10)

    /// Lines of one number each, whose only separator has an alternative.
    private static func lines(_ numbers: [(String, Float)]) -> [AssembledLine?] {
        numbers.map { number, ratio in
            let characters = number.map { TextCharacter(text: String($0), confidence: 1, box: Self.box) }
            let word = TextWord(text: number, confidence: 1, box: Self.box, characters: characters)
            let place = Array(number).firstIndex { $0 == "," || $0 == "." } ?? 0
            let isComma = number.contains(",")
            return AssembledLine(
                line: TextLine(text: number, confidence: 1, box: Self.box, words: [word]),
                separators: [
                    NumberSeparator(
                        word: 0,
                        character: place,
                        position: place,
                        isComma: isComma,
                        otherLogRatio: ratio
                    )
                ]
            )
        }
    }

    private static func texts(_ numbers: [(String, Float)]) -> [String] {
        NumberFormat.applied(to: Self.lines(numbers)).map { $0?.text ?? "" }
    }

    private static let sums: [(String, Float)] = ["1,204", "77,310", "9,450", "1,002", "64,881"].map { ($0, -9) }

    @Test func anUnsureSeparatorIsTheOneThatTheOthersHave() {
        #expect(Self.texts(Self.sums + [("219.547", -2)]).last == "219,547")
        let points = Self.sums.map { ($0.0.replacing(",", with: "."), $0.1) }
        #expect(Self.texts(points + [("219,547", -2)]).last == "219.547")
    }

    @Test func theCharacterChangesWithItsWordAndLine() {
        let line = NumberFormat.applied(to: Self.lines(Self.sums + [("219.547", -2)])).last ?? nil
        #expect(line?.words.first?.text == "219,547")
        #expect(line?.words.first?.characters.map(\.text).joined() == "219,547")
    }

    @Test func aCandidateThatIsTheCorrectedLineIsNotReportedTwice() {
        var lines = Self.lines(Self.sums + [("219.547", -2)])
        let read = ["219.547", "219,547", "219 547"].map { TextCandidate(text: $0, confidence: 1) }
        lines[Self.sums.count]?.line.candidates = read
        let line = NumberFormat.applied(to: lines).last ?? nil
        #expect(line?.candidates.map(\.text) == ["219,547", "219 547"])
    }

    @Test func aSeparatorThatHasMovedSinceStays() {
        var lines = Self.lines(Self.sums + [("219.547", -2)])
        lines[Self.sums.count]?.line.words[0].text = "21.547"
        #expect(NumberFormat.applied(to: lines).last??.words.first?.text == "21.547")
    }

    @Test func whatThePixelsShowForCertainStays() {
        #expect(Self.texts(Self.sums + [("3.142", -11)]).last == "3.142")
    }

    @Test func fewNumbersShowNothing() {
        #expect(Self.texts([("1,204", -9), ("219.547", -1)]) == ["1,204", "219.547"])
    }

    @Test func severalUnsureOnesDoNotHoldEachOtherUp() {
        let unsure: [(String, Float)] = ["8.482", "4.377", "50.472"].map { ($0, -2) }
        let many = Self.sums + Self.sums + Self.sums
        #expect(Self.texts(many + unsure).suffix(3) == ["8,482", "4,377", "50,472"])
    }

    /// Separators of a word, as its characters were recognized.
    private static func separators(in word: String) -> [NumberSeparator] {
        let alphabet = Alphabet(list: "0123456789.,℃".map(String.init).joined(separator: "\n"))
        let characters = word.map {
            LocatedCharacter(
                recognized: CTCCharacter(label: alphabet.label(of: String($0)) ?? 0, confidence: 1, centre: 0),
                box: BoundingBox(0, 1)
            )
        }
        return NumberSeparator.all(in: LineCharacters(characters, words: [0..<word.count]), alphabet)
    }

    @Test func aSeparatorBehindADegreeSignIsReplacedInItsPlace() throws {
        let found = try #require(Self.separators(in: "℃1.234").first)
        #expect(found.character == 2 && found.position == 3)
        let separator = NumberSeparator(
            word: 0,
            character: found.character,
            position: found.position,
            isComma: false,
            otherLogRatio: -2
        )
        let characters = ["°C", "1", ".", "2", "3", "4"].map { TextCharacter(text: $0, confidence: 1, box: Self.box) }
        let word = TextWord(text: "°C1.234", confidence: 1, box: Self.box, characters: characters)
        let line = TextLine(text: word.text, confidence: 1, box: Self.box, words: [word])
        let lines = Self.lines(Self.sums) + [AssembledLine(line: line, separators: [separator])]
        let corrected = try #require(NumberFormat.applied(to: lines).last ?? nil)
        #expect(corrected.text == "°C1,234")
        #expect(corrected.words.first?.characters.map(\.text).joined() == "°C1,234")
    }

    @Test func onlySeparatorsOfThousandsCount() {
        func count(_ number: String) -> Int { Self.separators(in: number).count }
        #expect(count("1,204") == 1 && count("1,204,500") == 2 && count("12.50") == 0)
        #expect(count("1234.500") == 0 && count(",500") == 0 && count("1,2345") == 0)
    }
}
