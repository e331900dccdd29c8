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

    @Test func aLineWithoutLettersHasNone() {
        #expect(Self.line([]).spacedCharacters.isEmpty)
        #expect(Self.line([Self.space(0.9)]).spacedCharacters.isEmpty)
    }
}
