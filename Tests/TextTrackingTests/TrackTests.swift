import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct TrackTests {
    /// A line of words, none of which is sure, unless it is said of the first.
    private static func line(_ words: String..., confidence: Float = 0.5) -> TextLine {
        let words = words.enumerated().map { index, text in
            TextWord(text, index * 100..<index * 100 + 80, confidence: index == 0 ? confidence : 0.5)
        }
        let box = Quad(Box(left: 0, top: 40, right: words.count * 100 - 20, bottom: 60))
        return TextLine(text: words.map(\.text).joined(separator: " "), confidence: 0.5, box: box, words: words)
    }

    private static func withFrame<Result: ~Copyable>(_ body: (borrowing GrayPlane) -> Result) -> Result {
        var frame = GrayPlane()
        PixelBuffer(width: 320, height: 120, format: .gray).withPixels { frame.load($0) }
        return body(frame)
    }

    private static func track(_ line: TextLine) -> Track {
        var track = Self.withFrame { Track(line, region: line.box, score: 0.9, in: $0) }
        track.wordIDs = line.words.indices.map { UInt64($0 + 1) }
        return track
    }

    @Test func aLineThatIsReadAsSomethingElseEachTimeTellsTheWordsThatReadingsAgreeIn() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        #expect(track.reported.map(\.text) == ["SKIN CARE"])
        track.count(Self.line("SKIN", "CORE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        #expect(track.reported.flatMap(\.words).map(\.id) == [1])
        track.count(Self.line("SHIN", "CAPE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        track.count(Self.line("SHIN", "COPE"))
        #expect(track.reported.isEmpty)
    }

    @Test func wordsOnEitherSideOfOneThatIsNotToldAreNoNeighbours() {
        var track = Self.track(Self.line("DO", "NOT", "ENTER"))
        track.count(Self.line("DO", "HOT", "ENTER"))
        #expect(track.reported.map(\.text) == ["DO", "ENTER"])
    }

    @Test func aLineThatMostReadingsAgreeInIsToldAsAWhole() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        track.count(Self.line("SHIN", "CORE"))
        track.count(Self.line("SKIN", "CARE"))
        #expect(track.reported.map(\.text) == ["SKIN CARE"])
    }

    @Test func aWordThatIsSureIsToldWhateverItsLineIs() {
        var track = Self.track(Self.line("SKIN", "CARE", confidence: 0.95))
        track.count(Self.line("SHIN", "CORE"))
        track.count(nil)
        #expect(track.reported.map(\.text) == ["SKIN"])
    }

    @Test func aLineIsToldNoMoreOnceAsManyReadingsFindNothingAsFindText() {
        var track = Self.track(Self.line("SKIN", confidence: 0.95))
        track.count(nil)
        #expect(track.reported.isEmpty)
        track.count(Self.line("SKIN"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        track.count(Self.line("SKIN"))
        for _ in 0..<5 { track.count(nil) }
        #expect(track.reported.map(\.text) == ["SKIN"])
    }

    @Test func aLineThatReadsOtherwiseWhereItsPixelsChangedHasNewWords() {
        var track = Self.track(Self.line("NEVER", "SAID"))
        Self.withFrame { track.decide(Self.line("LEAVE", "SAID", confidence: 0.95).sure, in: $0) }
        #expect(track.wordIDs == [WordIDs.none, 2])
    }

    @Test func aWordThatIsToldStaysSoWhenItsLineIsCut() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        for word in ["CORE", "CAPE"] { track.count(Self.line("SKIN", word)) }
        track.count(Self.line("SHIN", "COPE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        var piece = Self.withFrame { Track(0..<1, of: track, region: track.place, in: $0) }
        #expect(piece.reported.map(\.text) == ["SKIN"])
        piece.count(Self.line("SKIN"))
        #expect(piece.reported.map(\.text) == ["SKIN"])
    }

    @Test(arguments: [(2, 20, true), (5, 20, false), (5, 40, true), (9, 40, false)])
    func aLineMayGoOnBeyondAnEdgeThatIsNearForItsHeight(left: Int, height: Int, isCut: Bool) {
        let region = Quad(Box(left: left, top: 40, right: 150, bottom: 40 + height))
        #expect(Self.withFrame { Track(Self.line("SKIN"), region: region, score: 0.9, in: $0).isCut } == isCut)
    }
}

extension TextLine {
    /// The same line, read for certain.
    fileprivate var sure: TextLine {
        var line = self
        line.scores = TextLine.Scores(detection: 0.9, recognition: 0.95)
        return line
    }
}
