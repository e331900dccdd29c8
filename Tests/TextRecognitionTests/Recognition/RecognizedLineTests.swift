import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct RecognizedLineTests {
    private static let alphabet = Alphabet(list: "a\nb")

    private static func line(_ characters: [CTCCharacter], in alphabet: Alphabet = Self.alphabet) -> RecognizedLine {
        let (width, height) = (Float(40), Float(48))
        let quad = Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: width, y: 0),
            bottomRight: Point(x: width, y: height),
            bottomLeft: Point(x: 0, y: height)
        )
        var line = RecognizedLine(
            alphabet: alphabet,
            map: Homography(width: width, height: height, to: quad),
            width: Int(width)
        )
        line.characters = characters
        return line
    }

    private static func space(_ confidence: Float) -> CTCCharacter {
        CTCCharacter(label: Self.alphabet.space, confidence: confidence, centre: 0)
    }

    private static func letter(_ label: Int, missedSpace: Float) -> CTCCharacter {
        CTCCharacter(label: label, confidence: 0.9, centre: 0, missedSpace: missedSpace)
    }

    @Test func charactersCarryTheLogOddsOfASpaceBeforeThem() {
        let line = Self.line([
            Self.letter(1, missedSpace: -.infinity), Self.letter(2, missedSpace: -4), Self.space(0.9),
            Self.letter(1, missedSpace: -2), Self.space(0.2), Self.letter(2, missedSpace: -7),
            Self.letter(1, missedSpace: -1), Self.space(1), Self.letter(2, missedSpace: -7),
        ])
        #expect(line.spacedCharacters.map(\.character.label) == [1, 2, 1, 2, 1, 2])
        let spaces = line.spacedCharacters.map(\.spaceLogOdds)
        #expect(spaces[0] == -.infinity)
        #expect(spaces[1] == -4)
        #expect(abs(spaces[2] - 2.197) < 0.001)
        // However unlikely, a space that was read was likelier than anything else.
        #expect(spaces[3] == 0)
        #expect(spaces[4] == -1)
        #expect(spaces[5] == .infinity)
    }

    @Test func fullWidthFormsBecomeASCIIUnlessTheyBelongToTheLine() {
        let alphabet = Alphabet(list: "a\n：\n:\n字\n！")
        func narrowed(_ labels: [Int]) -> [Int] {
            var line = Self.line(labels.map { Self.letter($0, missedSpace: -1) }, in: alphabet)
            line.narrow()
            return line.characters.map(\.label)
        }
        #expect(narrowed([1, 2, 3, 1]) == [1, 3, 3, 1])
        #expect(narrowed([1, 2, 4]) == [1, 2, 4])
        // Labels outside the alphabet's other classes stay.
        #expect(narrowed([1, 5]) == [1, 5])
        #expect(narrowed([]).isEmpty)
    }

    @Test func aLineWhosePartsAreReplacedHasTheDictionaryOfItsAlphabet() {
        func line(in alphabet: Alphabet) -> RecognizedLine {
            var line = Self.line([Self.letter(1, missedSpace: -1)], in: alphabet)
            line.dictionary = WordDictionary(WordFilter(of: []), in: alphabet)
            return line
        }
        let second = Alphabet(list: "7\na\nb")
        let replaced = line(in: Self.alphabet).replacing([20..<40], with: [line(in: second)])
        #expect(replaced.dictionary?.isLetter(1) == false)
        #expect(replaced.dictionary?.isLetter(2) == true)
    }

    /// A line of characters 20 columns apart, in whose gaps a `_` has 80 more.
    private static func line(_ text: String) -> RecognizedLine {
        let alphabet = Alphabet(list: "ABCDEFKNQx1".map(String.init).joined(separator: "\n"))
        var line = Self.line([], in: alphabet)
        var end: Float = 0
        for letter in text {
            end += letter == "_" ? 80 : 20
            guard letter != "_" else { continue }
            let label = letter == " " ? alphabet.space : alphabet.label(of: String(letter)) ?? 0
            line.characters.append(CTCCharacter(label: label, confidence: 0.9, centre: end - 10))
        }
        line.width = Int(end)
        return line
    }

    @Test(arguments: [
        ("BAND", true, true), ("BAND CAFE", true, true), ("A BAND", true, true), ("11 BAND", true, true),
        // No words, or one that is none.
        ("A", false, false), ("AD", false, false), ("BQND", false, false), ("BAND BQND", false, false),
        // All its letters look like Cyrillic ones.
        ("ABACK", false, false),
        // Beside digits, and where a gap has room for it, there may be a word that is not read.
        ("11 1", true, false), ("BAND_", true, false), ("_BAND", true, false), ("BAND _CAFE", true, false),
    ])
    func wordsAndDigitsAreLatin(text: String, isLatin: Bool, isMixedLatin: Bool) {
        let line = Self.line(text)
        let dictionary = WordDictionary(WordFilter(of: ["band", "cafe", "aback"]), in: line.alphabet)
        #expect(line.isLatin(by: dictionary, isMixed: false) == isLatin)
        #expect(line.isLatin(by: dictionary, isMixed: true) == isMixedLatin)
    }

    @Test func aLineWithoutLettersHasNone() {
        #expect(Self.line([]).spacedCharacters.isEmpty)
        #expect(Self.line([Self.space(0.9)]).spacedCharacters.isEmpty)
    }
}
