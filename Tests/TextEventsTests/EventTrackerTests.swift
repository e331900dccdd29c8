import GlyphwireProtocol
import NIOCore
import Testing
import TextModel

@testable import TextEvents

@Suite struct EventTrackerTests {
    /// A frame with lines, each of words with their ids, below each other.
    static func frame(_ lines: [[(String, UInt64?)]], found: TextMatches? = nil) -> FrameText {
        let lines = lines.enumerated().map { row, words in
            let box = Self.box(row: row)
            return TextLine(
                text: words.map(\.0).joined(separator: " "),
                confidence: 0.9,
                box: box,
                words: words.map { TextWord(text: $0.0, confidence: 0.9, box: box, characters: [], id: $0.1) }
            )
        }
        return FrameText(width: 640, height: 480, orientation: .up, level: .fast, lines: lines, found: found)
    }

    static func box(row: Int) -> Quad {
        let (top, bottom) = (Float(row * 40), Float(row * 40 + 30))
        return Quad(
            topLeft: Point(x: 0, y: top),
            topRight: Point(x: 200, y: top),
            bottomRight: Point(x: 200, y: bottom),
            bottomLeft: Point(x: 0, y: bottom)
        )
    }

    /// Events in short: a sign, the id and the text.
    private static func short(_ events: [TextEvent.Kind]) -> [String] {
        events.map { event in
            switch event {
            case .appeared(let text): "+\(text.id) \(text.text)"
            case .changed(let text, let previous): "~\(text.id) \(previous) > \(text.text)"
            case .lost(let text): "-\(text.id) \(text.text)"
            case .online, .offline: "?"
            }
        }
    }

    @Test func textsAppearChangeAndGo() {
        var tracker = EventTracker()
        let first = tracker.update(Self.frame([[("Gate", 1), ("7", 2)], [("Exit", 3)]]), at: 0)
        #expect(Self.short(first) == ["+1 Gate 7", "+2 Exit"])
        #expect(tracker.update(Self.frame([[("Gate", 1), ("7", 2)], [("Exit", 3)]]), at: 1) == [])
        let changed = tracker.update(Self.frame([[("Gate", 1), ("8", 4)]]), at: 2)
        #expect(Self.short(changed) == ["-2 Exit", "~1 Gate 7 > Gate 8"])
        #expect(tracker.texts.map(\.text) == ["Gate 8"])
    }

    @Test func linesInScriptsThatCannotBeReadAreNoTexts() {
        var tracker = EventTracker()
        let lines = Self.frame([[("Gate", 1)], [("", 2)]])
        #expect(Self.short(tracker.update(lines, at: 0)) == ["+1 Gate"])
        #expect(tracker.update(Self.frame([[("Gate", 1)]]), at: 1) == [])
    }

    @Test func aTextThatComesBackHasItsIDAgain() {
        var tracker = EventTracker()
        _ = tracker.update(Self.frame([[("Exit", 3)]]), at: 0)
        _ = tracker.update(Self.frame([]), at: 1_000_000)
        #expect(Self.short(tracker.update(Self.frame([[("Exit", 3)]]), at: 5_000_000)) == ["+1 Exit"])
        _ = tracker.update(Self.frame([]), at: 6_000_000)
        #expect(Self.short(tracker.update(Self.frame([[("Exit", 9)]]), at: 20_000_000)) == ["+2 Exit"])
    }

    @Test func ofALineCutInTwoThePartWithMoreWordsContinues() {
        var tracker = EventTracker()
        _ = tracker.update(Self.frame([[("a", 1), ("b", 2), ("c", 3)]]), at: 0)
        let events = tracker.update(Self.frame([[("a", 1)], [("b", 2), ("c", 3)]]), at: 1)
        #expect(Self.short(events) == ["~1 a b c > b c", "+2 a"])
    }

    @Test func anotherConnectionBeginsWithOtherIDs() {
        var tracker = EventTracker()
        _ = tracker.update(Self.frame([[("Gate", 1)], [("Exit", 2)]]), at: 0)
        tracker.connectionLost()
        #expect(tracker.update(Self.frame([[("Gate", 2)], [("Exit", 1)]]), at: 1) == [])
    }

    @Test func withASearchEventsAreOfMatches() {
        var tracker = EventTracker()
        let match = TextMatch(pattern: 1, text: "7", line: 0, words: 1..<2, box: Self.box(row: 0))
        let events = tracker.update(Self.frame([[("Gate", 1), ("7", 2)]], found: TextMatches([match])), at: 0)
        let text = ObservedText(id: 1, text: "7", confidence: nil, box: Self.box(row: 0), pattern: 1)
        #expect(events == [.appeared(text)])
    }

    @Test func eventsAreObjectsOfJSON() {
        let text = ObservedText(id: 3, text: "7 \"A\"", confidence: 0.5, box: Self.box(row: 1), pattern: 0)
        let time = EventTime.wall(microseconds: 1_795_750_991_250_000)
        let event = TextEvent(.changed(text, previous: "1A"), source: "gate", time: time)
        #expect(
            String(buffer: event.json(patterns: ["/\\d/"])) == #"""
                {"type":"changed","source":"gate","time":"2026-11-27T03:43:11.250Z","id":3,"text":"7 \"A\"",\#
                "confidence":0.5,"box":[0,40,200,40,200,70,0,70],"pattern":"/\\d/","previous":"1A"}
                """#
        )
        let offline = TextEvent(.offline("gone"), source: "a", time: .position(microseconds: 1_250_000))
        #expect(
            String(buffer: offline.json(patterns: []))
                == #"{"type":"offline","source":"a","position_s":1.25,"reason":"gone"}"#
        )
    }
}
