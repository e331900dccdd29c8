import GlyphwireProtocol
import NIOCore
import Testing
import TextModel

@testable import TextEvents

@Suite struct TextEventTests {
    /// Box of a line below others.
    static func box(row: Int) -> Quad {
        let (top, bottom) = (Float(row * 40), Float(row * 40 + 30))
        return Quad(
            topLeft: Point(x: 0, y: top),
            topRight: Point(x: 200, y: top),
            bottomRight: Point(x: 200, y: bottom),
            bottomLeft: Point(x: 0, y: bottom)
        )
    }

    /// That box in a picture of 640x480 pixels.
    static func box(row: Int, in space: CoordinateSpace) -> Quad {
        let (box, size) = (Self.box(row: row), (width: 640, height: 480))
        func converted(_ point: Point) -> Point {
            space.point(sent: point, orientation: .up, width: size.width, height: size.height)
        }
        return Quad(
            topLeft: converted(box.topLeft),
            topRight: converted(box.topRight),
            bottomRight: converted(box.bottomRight),
            bottomLeft: converted(box.bottomLeft)
        )
    }

    @Test(arguments: [
        (CoordinateSpace.sent, "[0,40,200,40,200,70,0,70]"), (.upright, "[0,40,200,40,200,70,0,70]"),
        (.vision, "[0,0.91667,0.3125,0.91667,0.3125,0.85417,0,0.85417]"),
    ])
    func boxesHaveThePrecisionOfTheirSpace(space: CoordinateSpace, box: String) {
        let text = ObservedText(id: 3, text: "A", confidence: nil, box: Self.box(row: 1, in: space))
        let event = TextEvent(.text(.appeared(text)), source: "gate", time: .position(microseconds: 0))
        let json = String(buffer: event.json(of: EventSource(name: "gate", coordinates: space)))
        #expect(json.contains(#""box":\#(box)"#), "\(json)")
    }

    @Test func eventsAreObjectsOfJSON() {
        let text = ObservedText(id: 3, text: "7 \"A\"", confidence: 0.5, box: Self.box(row: 1), pattern: 0)
        let time = EventTime.wall(microseconds: 1_795_750_991_250_000)
        let event = TextEvent(.text(.changed(text, previous: "1A")), source: "gate", time: time)
        #expect(
            String(buffer: event.json(of: EventSource(name: "gate", patterns: ["/\\d/"]))) == #"""
                {"type":"changed","source":"gate","time":"2026-11-27T03:43:11.250Z","id":3,"text":"7 \"A\"",\#
                "confidence":0.5,"box":[0,40,200,40,200,70,0,70],"pattern":"/\\d/","previous":"1A"}
                """#
        )
        var inRegion = text
        inRegion.region = "meter"
        let source = EventSource(name: "gate", regions: [EventSource.Region(name: "meter", patterns: ["7"])])
        let json = String(buffer: TextEvent(.text(.lost(inRegion)), source: "gate", time: time).json(of: source))
        #expect(json.hasSuffix(#""region":"meter","pattern":"7"}"#))
        let offline = TextEvent(.offline("gone"), source: "a", time: .position(microseconds: 1_250_000))
        #expect(
            String(buffer: offline.json(of: EventSource(name: "a")))
                == #"{"type":"offline","source":"a","position_s":1.25,"reason":"gone"}"#
        )
    }
}
