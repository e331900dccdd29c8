import GlyphwireProtocol
import NIOCore
import Testing
import TextModel

@Suite struct TextChangeTests {
    private static func box(row: Int) -> Quad { Quad(x: 0, y: Float(40 * row), width: 200, height: 30) }

    @Test func changesAreWrittenAndReadInJSON() throws {
        let line = TextLine(text: "Gate", confidence: 0.9, box: Self.box(row: 0), words: [])
        var text = FrameText(width: 640, height: 480, orientation: .up, level: .fast, lines: [line])
        let (seven, eight) = (
            ObservedText(id: 3, text: "7", confidence: nil, box: Self.box(row: 1), pattern: 1),
            ObservedText(id: 1, text: "8", confidence: 0.5, box: Self.box(row: 0))
        )
        text.changes = [.lost(seven), .changed(eight, previous: "7"), .appeared(eight)]
        let result = FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: .ok(text), timings: FrameTimings())
        var written = ByteBuffer()
        LineWriter().write(result: result, into: &written)
        let json = String(buffer: written)
        #expect(
            json.contains(
                #""changes":[{"type":"lost","id":3,"text":"7","box":[0,40,200,40,200,70,0,70],"pattern":1},"#
                    + #"{"type":"changed","id":1,"text":"8","confidence":0.5,"box":[0,0,200,0,200,30,0,30],"previous":"7"},"#
            )
        )
        #expect(!json.contains("\"lines\""))
        guard case .result(let read) = try ServerLine(json: written), case .ok(let other) = read.outcome else {
            Issue.record("\(json)")
            return
        }
        #expect(other.changes == text.changes)
        #expect(other.lines.isEmpty)
    }
}
