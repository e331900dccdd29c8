import GlyphwireProtocol
import Testing
import TextModel

@testable import TextEvents

@Suite struct CueBuilderTests {
    private static func text(_ text: String, id: UInt64 = 1, row: Int = 0) -> ObservedText {
        ObservedText(id: id, text: text, confidence: 1, box: TextEventTests.box(row: row))
    }

    private static func short(_ cues: [Cue]) -> [String] { cues.map { "\($0.start)-\($0.end) \($0.text)" } }

    @Test func aTextLastsFromItsFirstFrameToTheFrameWithoutIt() {
        var builder = CueBuilder()
        builder.add([.appeared(Self.text("Good evening"))], at: 40)
        builder.add([.lost(Self.text("Good evening")), .appeared(Self.text("And now", id: 2))], at: 120)
        #expect(Self.short(builder.finish(at: 200)) == ["40-120 Good evening", "120-200 And now"])
    }

    @Test func readingsOfOneTextAreOneCueWithTheLongestReading() {
        var builder = CueBuilder()
        builder.add([.appeared(Self.text("Good evenin9"))], at: 0)
        builder.add([.changed(Self.text("Good evening"), previous: "Good evenin")], at: 10)
        builder.add([.changed(Self.text("Good evenlng"), previous: "Good evening")], at: 90)
        #expect(Self.short(builder.finish(at: 100)) == ["0-100 Good evening"])
    }

    @Test func anotherTextInTheSamePlaceIsAnotherCue() {
        var builder = CueBuilder()
        builder.add([.appeared(Self.text("12:01"))], at: 0)
        builder.add([.changed(Self.text("12:02"), previous: "12:01")], at: 10)
        #expect(Self.short(builder.finish(at: 20)) == ["0-10 12:01", "10-20 12:02"])
    }

    @Test func aShortGapIsBridged() {
        var builder = CueBuilder()
        builder.add([.appeared(Self.text("Good evening"))], at: 0)
        builder.add([.lost(Self.text("Good evening"))], at: 1_000_000)
        builder.add([.appeared(Self.text("Good evening"))], at: 1_400_000)
        builder.add([.lost(Self.text("Good evening"))], at: 2_000_000)
        builder.add([.appeared(Self.text("Good evening"))], at: 3_000_000)
        #expect(
            Self.short(builder.finish(at: 4_000_000)) == ["0-2000000 Good evening", "3000000-4000000 Good evening"]
        )
    }

    @Test func briefTextsAreLeftOut() {
        var builder = CueBuilder()
        builder.add([.appeared(Self.text("flash"))], at: 0)
        builder.add([.lost(Self.text("flash"))], at: 40)
        #expect(builder.finish(at: 100, minimum: 41) == [])
    }

    @Test(arguments: [
        (CoordinateSpace.sent, ["0,0,200,30", "0,40,200,70"]), (.upright, ["0,0,200,30", "0,40,200,70"]),
        (.vision, ["0,1,0.3125,0.9375", "0,0.91667,0.3125,0.85417"]),
    ])
    func linesAreInReadingOrderInEachSpaceAndFormat(space: CoordinateSpace, edges: [String]) {
        var builder = CueBuilder(coordinates: space)
        let lines = ["first", "second"].enumerated().map { row, text in
            let box = TextEventTests.box(row: row, in: space)
            return TextChange.appeared(ObservedText(id: UInt64(row + 1), text: text, confidence: 1, box: box))
        }
        builder.add(lines, at: 0)
        let cues = builder.finish(at: 2_000_000)
        #expect(SubtitleFormat.srt.document(cues) == "1\n00:00:00,000 --> 00:00:02,000\nfirst\nsecond\n\n")
        #expect(SubtitleFormat.vtt.document(cues) == "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nfirst\nsecond\n\n")
        let rows = zip(["first", "second"], edges).map { "0.000,2.000,\"\($0)\",\($1)\r\n" }
        #expect(SubtitleFormat.csv.document(cues) == "start,end,text,left,top,right,bottom\r\n" + rows.joined())
    }

    @Test func linesThatComeAndGoTogetherAreOneSubtitle() {
        let cues = [
            Cue(start: 0, end: 2_000_000, text: "first", box: TextEventTests.box(row: 0)),
            Cue(start: 40_000, end: 2_040_000, text: "second & <b>", box: TextEventTests.box(row: 1)),
            Cue(start: 3_723_004_500, end: 3_724_000_000, text: "third \"x\"", box: TextEventTests.box(row: 0)),
        ]
        #expect(
            SubtitleFormat.srt.document(cues) == """
                1
                00:00:00,000 --> 00:00:02,000
                first
                second & <b>

                2
                01:02:03,005 --> 01:02:04,000
                third "x"


                """
        )
        #expect(
            SubtitleFormat.vtt.document(cues).hasPrefix(
                "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nfirst\nsecond &amp; &lt;b&gt;\n\n"
            )
        )
        #expect(SubtitleFormat.csv.document(cues).contains("3723.005,3724.000,\"third \"\"x\"\"\",0,0,200,30\r\n"))
    }

    @Test func aQuoteBeforeACombiningMarkStaysInItsField() {
        let cue = Cue(start: 0, end: 1_000_000, text: "x\"\u{301}", box: TextEventTests.box(row: 0))
        #expect(SubtitleFormat.csv.document([cue]).contains(",\"x\"\"\u{301}\",0,0,"))
    }
}
