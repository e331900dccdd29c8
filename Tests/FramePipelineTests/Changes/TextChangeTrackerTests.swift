import FramePipeline
import GlyphwireProtocol
import Testing
import TextModel
import TextSearch

@Suite struct TextChangeTrackerTests {
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
    private static func short(_ events: [TextChange]) -> [String] {
        events.map { event in
            switch event {
            case .appeared(let text): "+\(text.id) \(text.text)"
            case .changed(let text, let previous): "~\(text.id) \(previous) > \(text.text)"
            case .lost(let text): "-\(text.id) \(text.text)"
            }
        }
    }

    @Test func textsAppearChangeAndGo() {
        var tracker = TextChangeTracker()
        let first = tracker.update(Self.frame([[("Gate", 1), ("7", 2)], [("Exit", 3)]]), at: 0)
        #expect(Self.short(first) == ["+1 Gate 7", "+2 Exit"])
        #expect(tracker.update(Self.frame([[("Gate", 1), ("7", 2)], [("Exit", 3)]]), at: 1) == [])
        let changed = tracker.update(Self.frame([[("Gate", 1), ("8", 4)]]), at: 2)
        #expect(Self.short(changed) == ["-2 Exit", "~1 Gate 7 > Gate 8"])
        #expect(tracker.texts.map(\.text) == ["Gate 8"])
    }

    @Test func textsStayInTheirRegion() throws {
        let searched = StreamRegion(
            name: "a",
            outline: .rectangle(.full),
            find: [try TextPattern("/[0-9]+/")]
        )
        let configuration = StreamConfiguration(regions: [
            searched, StreamRegion(name: "b", outline: .rectangle(.full)),
        ])
        func frame(_ regions: [String]) -> FrameText {
            let lines = Self.frame(regions.map { _ in [("Gate 7", nil)] }).lines
            let named = zip(lines, regions).map { line, region in
                var line = line
                (line.box, line.region) = (Self.box(row: 0), region)
                return line
            }
            let matches = named.indices.filter { regions[$0] == "a" }.map { index in
                TextMatch(pattern: 0, text: "7", line: index, words: 0..<1, box: named[index].box, region: "a")
            }
            return FrameText(
                width: 640,
                height: 480,
                orientation: .up,
                level: .fast,
                lines: named,
                found: TextMatches(matches)
            )
        }
        var tracker = TextChangeTracker()
        let first = tracker.update(frame(["a", "b"]), at: 0, configuration: configuration)
        #expect(Self.short(first) == ["+1 7", "+2 Gate 7"])
        #expect(first.map(\.text.region) == ["a", "b"])
        let second = tracker.update(frame(["b"]), at: 1, configuration: configuration)
        #expect(Self.short(second) == ["-1 7"])
        #expect(Self.short(tracker.keep { _ in nil }) == ["-2 Gate 7"])
    }

    @Test func linesInScriptsThatCannotBeReadAreNoTexts() {
        var tracker = TextChangeTracker()
        let lines = Self.frame([[("Gate", 1)], [("", 2)]])
        #expect(Self.short(tracker.update(lines, at: 0)) == ["+1 Gate"])
        #expect(tracker.update(Self.frame([[("Gate", 1)]]), at: 1) == [])
    }

    @Test func aTextThatComesBackHasItsIDAgain() {
        var tracker = TextChangeTracker()
        _ = tracker.update(Self.frame([[("Exit", 3)]]), at: 0)
        _ = tracker.update(Self.frame([]), at: 1_000_000)
        #expect(Self.short(tracker.update(Self.frame([[("Exit", 3)]]), at: 5_000_000)) == ["+1 Exit"])
        _ = tracker.update(Self.frame([]), at: 6_000_000)
        #expect(Self.short(tracker.update(Self.frame([[("Exit", 9)]]), at: 20_000_000)) == ["+2 Exit"])
    }

    @Test func ofALineCutInTwoThePartWithMoreWordsContinues() {
        var tracker = TextChangeTracker()
        _ = tracker.update(Self.frame([[("a", 1), ("b", 2), ("c", 3)]]), at: 0)
        let events = tracker.update(Self.frame([[("a", 1)], [("b", 2), ("c", 3)]]), at: 1)
        #expect(Self.short(events) == ["~1 a b c > b c", "+2 a"])
    }

    @Test func anotherConnectionBeginsWithOtherIDs() {
        var tracker = TextChangeTracker()
        _ = tracker.update(Self.frame([[("Gate", 1)], [("Exit", 2)]]), at: 0)
        tracker.connectionLost()
        #expect(tracker.update(Self.frame([[("Gate", 2)], [("Exit", 1)]]), at: 1) == [])
    }

    @Test func otherOptionsKeepTheTextsThatTheyFindAndLoseTheOthers() {
        func found(_ matches: [(pattern: Int, text: String)]) -> FrameText {
            let matches = matches.enumerated().map { row, match in
                TextMatch(pattern: match.pattern, text: match.text, line: 0, words: 0..<1, box: Self.box(row: row))
            }
            return Self.frame([[("ALPHA ONE", nil)]], found: TextMatches(matches))
        }
        var tracker = TextChangeTracker()
        _ = tracker.update(found([(0, "ALPHA"), (1, "ONE")]), at: 0)
        let lost = tracker.keep { text in
            guard text.pattern == 0 else { return nil }
            var text = text
            text.pattern = 2
            return text
        }
        #expect(Self.short(lost) == ["-2 ONE"])
        #expect(lost.map(\.text.pattern) == [1])
        #expect(tracker.update(found([(2, "ALPHA")]), at: 1) == [])
        #expect(tracker.texts.map(\.id) == [1])
    }

    @Test func withASearchEventsAreOfMatches() {
        var tracker = TextChangeTracker()
        let match = TextMatch(pattern: 1, text: "7", line: 0, words: 1..<2, box: Self.box(row: 0))
        let events = tracker.update(Self.frame([[("Gate", 1), ("7", 2)]], found: TextMatches([match])), at: 0)
        let text = ObservedText(id: 1, text: "7", confidence: nil, box: Self.box(row: 0), pattern: 1)
        #expect(events == [.appeared(text)])
    }

    /// A frame whose search finds equal letters of one word, `perRow` in a row from `top` on.
    private static func letters(_ count: Int, id: UInt64?, perRow: Int = 100, top: Float = 0) -> FrameText {
        let matches = (0..<count).map { index in
            let (column, row) = (index % perRow, index / perRow)
            let box = Quad(x: Float(10 * column), y: top + Float(20 * row), width: 8, height: 15)
            return TextMatch(pattern: 0, text: "a", line: 0, words: 0..<1, box: box)
        }
        return Self.frame([[("a", id)]], found: TextMatches(matches))
    }

    /// Compared each with each, as many matches as a frame may have take minutes.
    @Test(.timeLimit(.minutes(1)), arguments: [100, 10_000])
    func equalTextsAreFoundByTheirPlaces(perRow: Int) {
        var tracker = TextChangeTracker()
        let first = tracker.update(Self.letters(10_000, id: nil, perRow: perRow), at: 0)
        #expect(first.count == 10_000)
        #expect(tracker.update(Self.letters(10_000, id: nil, perRow: perRow, top: 1), at: 1) == [])
        let moved = tracker.update(Self.letters(10_000, id: nil, perRow: perRow, top: 20_000), at: 2)
        #expect(moved.count == 20_000)
    }

    /// As above, but fewer, since a list of all pairs takes memory too.
    @Test(.timeLimit(.minutes(1))) func textsOfOneWordFollowEachOtherInOrder() {
        var tracker = TextChangeTracker()
        let first = tracker.update(Self.letters(4000, id: 1), at: 0)
        #expect(tracker.update(Self.letters(4000, id: 1, top: 20_000), at: 1) == [])
        #expect(tracker.texts.map(\.id) == first.map(\.text.id))
    }
}
