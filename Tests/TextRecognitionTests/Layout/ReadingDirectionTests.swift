import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

@Suite struct ReadingDirectionTests {
    /// A line recognized with certainty, upright or upside down.
    private static func line(_ text: String, isUpright: Bool = true) -> TextLine {
        let box = Quad(x: 10, y: 10, width: 80, height: 20)
        let word = TextWord(text: text, confidence: 1, box: box, characters: [])
        return TextLine(text: text, confidence: 1, box: isUpright ? box : box.turned(2), words: [word])
    }

    private static func turn(_ lines: TextLine...) -> Int? {
        PixelBuffer(width: 100, height: 100, format: .gray).withPixels { view in
            var direction = ReadingDirection()
            for line in lines { direction.count(line, in: UprightFrame(view, orientation: .up)) }
            return direction.turn
        }
    }

    @Test func mostLettersDecide() {
        #expect(Self.turn(Self.line("Exit")) == 0)
        #expect(Self.turn(Self.line("Exit", isUpright: false)) == 2)
        #expect(Self.turn(Self.line("Exit", isUpright: false), Self.line("Platforms")) == 0)
        #expect(Self.turn(Self.line("Exit"), Self.line("Rail", isUpright: false)) == nil)
    }

    @Test func whatReadsBothWaysHasNoSay() {
        #expect(Self.turn(Self.line("***************", isUpright: false)) == nil)
        #expect(Self.turn(Self.line("***************", isUpright: false), Self.line("Exit")) == 0)
    }
}
