import GlyphwireProtocol
import TextModel
import Testing

@testable import TextFormats

/// Arrangement of lines in paragraphs and blocks.
@Suite struct PageLayoutTests {
    /// The texts of the lines of each paragraph of each block.
    private func arranged(_ lines: [TextLine]) -> [[[String]]] {
        PageLayout(lines: lines, width: 1000, height: 800).blocks.map { block in
            block.paragraphs.map { $0.lines.map(\.text) }
        }
    }

    @Test func linesInScriptsThatCannotBeReadAreLeftOutOfDocuments() {
        let read = [Sample.line("one", x: 100, y: 100), Sample.line("two", x: 100, y: 150)]
        let unread = Sample.unavailableLine("нет текста", x: 100, y: 125)
        for format in TextFormat.allCases where format != .json {
            let page = Sample.page([read[0], unread, read[1]])
            #expect(format.document([page]) == format.document([Sample.page(read)]), "\(format)")
            #expect(format.document([Sample.page([unread])]) == format.document([Sample.page([])]), "\(format)")
        }
    }

    @Test func linesThatFollowCloselyAreAParagraphAndAGapPartsParagraphs() {
        let lines = [0, 25, 50, 95, 120].map { Sample.line("\($0)", x: 100, y: $0) }
        #expect(self.arranged(lines) == [[["0.0", "25.0", "50.0"], ["95.0", "120.0"]]])
    }

    @Test func aWideGapAndAnotherColumnBeginABlock() {
        let lines = [
            Sample.line("one", x: 100, y: 100), Sample.line("two", x: 100, y: 165),
            Sample.line("three", x: 600, y: 100), Sample.line("four", x: 600, y: 125),
        ]
        #expect(self.arranged(lines) == [[["one"]], [["two"]], [["three", "four"]]])
    }

    @Test func aHeadingIsAParagraphOfItsOwn() {
        let lines = [Sample.line("Menu", x: 100, y: 100, height: 60), Sample.line("Soup", x: 100, y: 170)]
        #expect(self.arranged(lines) == [[["Menu"], ["Soup"]]])
    }

    @Test func piecesOfARowStayTogetherAndCellsDoNot() {
        let pieces = [
            Sample.line("a", x: 100, y: 100), Sample.line("b", x: 150, y: 102), Sample.line("c", x: 100, y: 125),
        ]
        #expect(self.arranged(pieces) == [[["a", "b", "c"]]])
        let cells = [Sample.line("a", x: 100, y: 100), Sample.line("b", x: 180, y: 100)]
        #expect(self.arranged(cells) == [[["a"]], [["b"]]])
    }

    @Test func textThatRunsAnotherWayIsAnotherBlock() {
        let lines = [Sample.line("level", x: 100, y: 100), Sample.line("steep", x: 100, y: 125, angle: 30)]
        #expect(self.arranged(lines) == [[["level"]], [["steep"]]])
    }

    @Test(arguments: Orientation.allCases) func turnedTextIsArrangedLikeUprightText(orientation: Orientation) {
        let size = orientation.uprightSize(width: 1000, height: 800)
        let lines = Sample.lines.map { line in
            var line = line
            line.box = line.box.mapCorners { orientation.sent($0, width: 1000, height: 800) }
            return line
        }
        #expect(self.arranged(lines) == [[["Old Ferry", "Pier 5"], ["Opens"]], [["41"]]])
        // Lines with upright boxes are arranged upright.
        let upright = PageLayout(Sample.text(lines, orientation: orientation, coordinates: .upright))
        #expect((upright.width, upright.height) == size)
        #expect(upright.blocks.first?.box.topLeft == Point(x: 100, y: 100))
        #expect(upright.blocks.first?.box.bottomRight == Point(x: 280, y: 190))
    }

    @Test func boxesOfBlocksRunAlongTheirLines() throws {
        let lines = [Sample.line("one", x: 300, y: 100, angle: 90), Sample.line("two two", x: 275, y: 100, angle: 90)]
        let block = try #require(PageLayout(lines: lines, width: 1000, height: 800).blocks.first)
        #expect(block.paragraphs.count == 1)
        let corners = block.box.corners.map { [$0.x.rounded(), $0.y.rounded()] }
        #expect(corners == [[300, 100], [300, 240], [255, 240], [255, 100]])
    }

    @Test func rectanglesAreWholePixelsOnThePage() {
        let quad = Quad(
            topLeft: Point(x: -3, y: 1.2),
            topRight: Point(x: 8.1, y: 1.5),
            bottomRight: Point(x: 8, y: 9.9),
            bottomLeft: Point(x: -2, y: 9)
        )
        let rect = PixelRect(quad, width: 100, height: 9)
        #expect([rect.left, rect.top, rect.right, rect.bottom] == [0, 1, 9, 9])
        let outside = PixelRect(quad.mapCorners { Point(x: $0.x + 500, y: $0.y) }, width: 100, height: 9)
        #expect([outside.left, outside.right] == [99, 100])
    }

    @Test func aBaselinePassesUnderTheLettersThatStandOnIt() throws {
        var line = Sample.line("sag", x: 100, y: 100)
        // The g extends below the others.
        line.words[0].characters[2].box = line.words[0].characters[2].box.mapCorners { Point(x: $0.x, y: $0.y + 6) }
        let baseline = try #require(Baseline(line))
        #expect(baseline.start == Point(x: 100, y: 120) && baseline.end == Point(x: 160, y: 120))
        line.words[0].characters = []
        #expect(Baseline(line) == nil)
    }
}
