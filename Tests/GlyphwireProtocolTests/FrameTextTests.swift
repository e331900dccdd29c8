import GlyphwireProtocol
import TextModel
import Testing

@Suite struct FrameTextTests {
    static let lines = [
        TextLine(
            text: "EXIT 42",
            confidence: 0.5,
            box: Quad(x: 10, y: 20, width: 70, height: 20),
            words: [
                TextWord(
                    text: "EXIT",
                    confidence: 0.5,
                    box: Quad(x: 10, y: 20, width: 40, height: 20),
                    characters: [TextCharacter(text: "E", confidence: 1, box: Quad(x: 10, y: 20, width: 8, height: 20))]
                )
            ]
        )
    ]

    static let found = TextMatches(
        [
            TextMatch(pattern: 2, text: "T 4", line: 0, words: 0..<2, box: Quad(x: 42, y: 20, width: 20, height: 20)),
            TextMatch(pattern: 0, text: "\"", line: 1, words: 3..<4, box: Quad(x: 1, y: 2, width: 3, height: 4)),
        ],
        isComplete: false
    )

    @Test func boxesAreInTheRequestedSpace() {
        let text = FrameText(
            width: 200,
            height: 100,
            orientation: .right,
            level: .fast,
            lines: Self.lines,
            coordinates: .upright,
            found: Self.found
        )
        // Rotated a quarter turn clockwise, a point sent at (x, y) is at (100 - y, x).
        #expect(text.lines[0].box.topLeft == Point(x: 80, y: 10))
        #expect(text.lines[0].words[0].box.topRight == Point(x: 80, y: 50))
        #expect(text.lines[0].words[0].characters[0].box.bottomLeft == Point(x: 60, y: 10))
        #expect(text.found?.matches[0].box.topLeft == Point(x: 80, y: 42))
        #expect(text.found?.isComplete == false)
    }

    @Test(arguments: CoordinateSpace.allCases)
    func theSentPixelsCanAlwaysBeHadBack(space: CoordinateSpace) {
        let text = FrameText(
            width: 256,
            height: 128,
            orientation: .rightMirrored,
            level: .fast,
            lines: Self.lines,
            coordinates: space
        )
        for (back, sent) in zip(text.linesAsSent[0].box.corners, Self.lines[0].box.corners) {
            #expect(abs(back.x - sent.x) < 0.001 && abs(back.y - sent.y) < 0.001)
        }
    }

    @Test func theTextIsItsLinesOneBelowTheOther() {
        var two = Self.lines
        two.append(TextLine(text: "STAIR", confidence: 1, box: two[0].box, words: []))
        let text = FrameText(width: 9, height: 9, orientation: .up, level: .fast, lines: two)
        #expect(text.text == "EXIT 42\nSTAIR")
    }
}
