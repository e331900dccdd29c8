import GlyphwireProtocol
import TextModel
import Testing

@testable import GlyphwireReplay

@Suite struct WordMatchTests {
    private static func box(_ x: Float, _ y: Float, _ width: Float = 40, _ height: Float = 10) -> Quad {
        Quad(
            topLeft: Point(x: x, y: y),
            topRight: Point(x: x + width, y: y),
            bottomRight: Point(x: x + width, y: y + height),
            bottomLeft: Point(x: x, y: y + height)
        )
    }

    private static func word(_ text: String, x: Float, y: Float = 0) -> TextWord {
        let width = 40 / Float(max(text.count, 1))
        let characters = text.enumerated().map { index, character in
            TextCharacter(text: "\(character)", confidence: 1, box: Self.box(x + Float(index) * width, y, width))
        }
        return TextWord(text: text, confidence: 1, box: Self.box(x, y), characters: characters)
    }

    @Test func wordsAreTheSameChangedMissingOrExtra() {
        let match = WordMatch(
            expected: [Self.word("EXIT", x: 0), Self.word("STAIR", x: 100), Self.word("1", x: 200)],
            found: [Self.word("5TAIR", x: 101), Self.word("EXIT", x: 2), Self.word("NEW", x: 300)]
        )
        #expect(match.same == 1)
        #expect(match.changed.map(\.expected) == ["STAIR"])
        #expect(match.changed.map(\.found) == ["5TAIR"])
        #expect(match.missing == ["1"])
        #expect(match.extra == ["NEW"])
        #expect(!match.isSame)
        #expect(match.centreErrors.count == 4)
        #expect(match.centreErrors.allSatisfy { abs($0 - 2) < 1e-4 })
    }

    @Test func aWordGoesToTheOneItSharesMostWith() {
        let match = WordMatch(
            expected: [Self.word("A", x: 0), Self.word("B", x: 10)],
            found: [Self.word("B", x: 9), Self.word("A", x: 1)]
        )
        #expect(match.isSame)
        #expect(match.overlaps.allSatisfy { $0 > 0.9 })
    }

    @Test func theOverlapOfWordsIsExactFarFromTheOrigin() {
        let match = WordMatch(
            expected: [Self.word("A", x: 8000.1, y: 8000.1)],
            found: [Self.word("A", x: 8010.1, y: 8000.1)]
        )
        #expect(match.overlaps.allSatisfy { abs($0 - 0.6) < 1e-4 })
    }

    @Test func whatCouldMoveTheCursorIsNotInAnExample() {
        var agreement = Agreement()
        agreement.add(WordMatch(expected: [Self.word("A", x: 0)], found: [Self.word("\u{1B}[2J", x: 0)]), sequence: 3)
        #expect(agreement.examples == ["frame 3: \"A\" is read \"\u{FFFD}[2J\""])
        #expect(agreement.framesDifferent == 1)
    }
}
