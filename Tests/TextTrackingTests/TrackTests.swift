import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct TrackTests {
    /// Line of words, of which only the first may be sure.
    private static func line(_ words: String..., confidence: Float = 0.5) -> TextLine {
        let words = words.enumerated().map { index, text in
            TextWord(text, index * 100..<index * 100 + 80, confidence: index == 0 ? confidence : 0.5)
        }
        let box = Quad(Box(left: 0, top: 40, right: words.count * 100 - 20, bottom: 60))
        return TextLine(text: words.map(\.text).joined(separator: " "), confidence: 0.5, box: box, words: words)
    }

    private static func withFrame<Result: ~Copyable>(_ body: (borrowing GrayPlane) -> Result) -> Result {
        var frame = GrayPlane()
        var picture = PixelBuffer(width: 320, height: 120, format: .gray)
        picture.withMutableBytes { bytes in
            for index in 0..<bytes.count { bytes[index] = index.isMultiple(of: 3) ? 60 : 180 }
        }
        picture.withPixels { frame.load($0) }
        return body(frame)
    }

    private static func track(_ line: TextLine) -> Track {
        var track = Self.withFrame { Track(line, region: line.box, score: 0.9, in: $0) }
        track.wordIDs = line.words.indices.map { UInt64($0 + 1) }
        return track
    }

    @Test func theBoxIsThatOfTheLineInTheLatestFrame() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        #expect(track.box == track.line.box)
        track.motion = Affine(a: 1.1, b: -0.2, tx: 7, c: 0.2, d: 1.1, ty: 3)
        #expect(track.box == track.line.box && track.box != track.best.box)
    }

    @Test func aLineWithDifferentReadingsReportsTheWordsThatMostReadingsHave() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        #expect(track.reported.map(\.text) == ["SKIN CARE"])
        track.add(Self.line("SKIN", "CORE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        #expect(track.reported.flatMap(\.words).map(\.id) == [1])
        track.add(Self.line("SHIN", "CAPE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        track.add(Self.line("SHIN", "COPE"))
        #expect(track.reported.isEmpty)
    }

    @Test func wordsOnEitherSideOfAnUnreportedWordAreSeparateLines() {
        var track = Self.track(Self.line("DO", "NOT", "ENTER"))
        track.add(Self.line("DO", "HOT", "ENTER"))
        #expect(track.reported.map(\.text) == ["DO", "ENTER"])
    }

    @Test func aLineThatMostReadingsAgreeOnIsReportedAsAWhole() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        track.add(Self.line("SHIN", "CORE"))
        track.add(Self.line("SKIN", "CARE"))
        #expect(track.reported.map(\.text) == ["SKIN CARE"])
    }

    @Test func readingsOfAClearlyBetterCropOutvoteEarlierOnes() {
        var track = Self.track(Self.line("EASTEM"))
        for _ in 0..<3 { track.add(Self.line("EASTEM")) }
        #expect(track.vote.isConverged)
        track.wasMatched(Self.match(legibility: 1.2 * track.template.legibility), isSure: true)
        #expect(track.vote.isConverged)
        track.wasMatched(Self.match(legibility: 4 * track.template.legibility), isSure: true)
        #expect(!track.vote.isConverged)
        track.add(Self.line("EASTERN"))
        track.add(Self.line("EASTERN"))
        #expect(track.best.text == "EASTERN")
        #expect(!track.vote.isConverged)
        track.add(Self.line("EASTERN"))
        #expect(track.vote.isConverged)
    }

    @Test func aBetterCropWithTheSameTextIsReadOnce() {
        var track = Self.track(Self.line("EASTERN"))
        for _ in 0..<2 { track.add(Self.line("EASTERN")) }
        track.wasMatched(Self.match(legibility: 2 * track.template.legibility), isSure: true)
        #expect(!track.vote.isConverged)
        track.add(Self.line("EASTERN"))
        #expect(track.vote.isConverged)
    }

    private static func match(legibility: Float, decorrelation: Float = 0, x: Float = 0) -> LineMatcher.Match {
        LineMatcher.Match(
            motion: Affine(x: x, y: 0),
            difference: 0,
            correlation: 1,
            decorrelation: decorrelation,
            legibility: legibility
        )
    }

    /// Match that lacks this much of a correlation of 1, times the length of the template in heights, `x` pixels to the right.
    private static func match(of track: Track, lacking decorrelation: Float, x: Float = 0) -> LineMatcher.Match {
        Self.match(legibility: track.template.legibility, decorrelation: decorrelation, x: x)
    }

    /// What moves is blurred by interpolation, and its matches vary more.
    @Test(
        arguments: [(1, [0.02, 0.04, 0.02, 0.06], 0.1), (0, [0.01, 0.02, 0.01, 0.03], 0.05)]
            as [(Float, [Float], Float)]
    )
    func aMatchThatIsSuddenlyWorseIsUncertain(step: Float, usual: [Float], worse: Float) {
        var track = Self.track(Self.line("14:03:08"))
        var x: Float = 0
        func match(lacking decorrelation: Float) {
            x += step
            track.wasMatched(Self.match(of: track, lacking: decorrelation, x: x), isSure: true)
        }
        for decorrelation in usual {
            match(lacking: decorrelation)
            #expect(track.status == .matched)
        }
        for _ in 0..<2 {
            match(lacking: worse)
            #expect(track.status == .uncertain, "what is not verified is no measure")
        }
        Self.withFrame { track.verify(Self.line("14:03:09").sure, in: $0) }
        #expect(track.best.text == "14:03:09")
    }

    /// Match before a still camera, a square of which differs by as much as a digit that is drawn in part.
    private static func faintMatch(of track: Track, lacking decorrelation: Float) -> LineMatcher.Match {
        var match = Self.match(of: track, lacking: decorrelation)
        match.difference = 0.08
        return match
    }

    @Test(
        arguments: [(0.0002, 0.003, false), (0.0002, 0.0077, true), (0.01, 0.018, false), (0.01, 0.022, true)]
            as [(Float, Float, Bool)]
    )
    func aLineThatChangesFaintlyIsUncertainBeyondItsNoise(noise: Float, decorrelation: Float, isUncertain: Bool) {
        var track = Self.track(Self.line("95.28"))
        #expect(track.faintChanges.comparison(isFaintlyChanged: false, isAbsorbed: false) == .noise)
        track.wasMatched(Self.match(of: track, lacking: noise), isSure: true)
        track.wasCompared(.noise)
        #expect(track.faintChanges.comparison(isFaintlyChanged: false, isAbsorbed: false) == nil)
        #expect(track.faintChanges.comparison(isFaintlyChanged: true, isAbsorbed: false) == .text)
        track.wasMatched(Self.faintMatch(of: track, lacking: decorrelation), isSure: true)
        track.wasCompared(.text)
        #expect((track.status == .uncertain) == isUncertain)
    }

    @Test func aLineThatChangesFaintlyInEachFrameIsComparedInSomeOnly() {
        var track = Self.track(Self.line("95.28"))
        let due = (0..<12).filter { _ in
            track.faintChanges.comparison(isFaintlyChanged: true, isAbsorbed: false) == .text
        }
        #expect(due == [0, 2, 6, 10])
        for _ in 0..<2 {
            #expect(
                track.faintChanges.comparison(isFaintlyChanged: false, isAbsorbed: false) == nil,
                "it waits for its turn"
            )
        }
        #expect(track.faintChanges.comparison(isFaintlyChanged: false, isAbsorbed: false) == .text)
        #expect(track.faintChanges.comparison(isFaintlyChanged: false, isAbsorbed: false) == .noise)
        #expect(track.faintChanges.comparison(isFaintlyChanged: true, isAbsorbed: false) == .text)
    }

    @Test func aLineThatStaysTheSameIsReadLessAndLessOften() {
        var track = Self.track(Self.line("95.28").sure)
        var read: [Int] = []
        for frame in 0..<40 where track.faintChanges.comparison(isFaintlyChanged: true, isAbsorbed: true) == .text {
            read.append(frame)
            Self.withFrame { track.verify(Self.line("95.28").sure, in: $0) }
        }
        #expect(read == [0, 1, 2, 4, 8, 16, 32])
    }

    @Test(arguments: [false, true]) func aLineThatCannotBeVerifiedIsReadOnce(isEmpty: Bool) {
        var track = Self.track(Self.line("SKIN"))
        for decorrelation: Float in [0.02, 0.1] {
            track.wasMatched(Self.match(of: track, lacking: decorrelation), isSure: true)
        }
        #expect(track.status == .uncertain)
        Self.withFrame { track.verify(isEmpty ? nil : Self.line("SHIN"), in: $0) }
        track.wasMatched(Self.match(of: track, lacking: 0.1), isSure: true)
        #expect(track.status == .matched)
    }

    @Test func aSureWordIsReportedWhateverItsLineIs() {
        var track = Self.track(Self.line("SKIN", "CARE", confidence: 0.95))
        track.add(Self.line("SHIN", "CORE"))
        track.add(nil)
        #expect(track.reported.map(\.text) == ["SKIN"])
    }

    @Test func aLineIsNoLongerReportedOnceHalfOfItsReadingsAreEmpty() {
        var track = Self.track(Self.line("SKIN", confidence: 0.95))
        track.add(nil)
        #expect(track.reported.isEmpty)
        track.add(Self.line("SKIN"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        track.add(Self.line("SKIN"))
        for _ in 0..<5 { track.add(nil) }
        #expect(track.reported.map(\.text) == ["SKIN"])
    }

    @Test func anUncertainLineWithAnotherTextHasNewWords() {
        var track = Self.track(Self.line("NEVER", "SAID"))
        Self.withFrame { track.verify(Self.line("LEAVE", "SAID", confidence: 0.95).sure, in: $0) }
        #expect(track.wordIDs == [WordIDs.none, 2])
    }

    @Test func aReportedWordStaysReportedWhenItsLineIsSplit() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        for word in ["CORE", "CAPE"] { track.add(Self.line("SKIN", word)) }
        track.add(Self.line("SHIN", "COPE"))
        #expect(track.reported.map(\.text) == ["SKIN"])
        var fragment = Self.withFrame { Track(0..<1, of: track, region: track.place, splitLineID: 0, in: $0) }
        #expect(fragment.reported.map(\.text) == ["SKIN"])
        fragment.add(Self.line("SKIN"))
        #expect(fragment.reported.map(\.text) == ["SKIN"])
    }

    @Test func eachWordHasAnIDWhereAnotherReadingOfTheSameTextHasMoreWords() {
        // Of a line in an unreadable script only the boxes of its words are known.
        var track = Self.track(Self.line(""))
        var wider = Self.line("", "", "")
        (wider.text, wider.confidence) = ("", 0.9)
        track.add(wider)
        #expect(track.best.words.count == 3)
        #expect(track.wordIDs == [1, WordIDs.none, WordIDs.none])
        let fragment = Self.withFrame { Track(1..<3, of: track, region: track.place, splitLineID: 0, in: $0) }
        #expect(fragment.wordIDs.count == 2)
    }

    @Test func aFragmentIsAsTentativeAsItsLine() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        (track.isTentative, track.isOverlay) = (true, true)
        let fragments = Self.withFrame { frame in
            [0..<1, 1..<2].map { Track($0, of: track, region: track.place, splitLineID: 0, in: frame) }
        }
        #expect(fragments.allSatisfy { $0.isTentative && $0.isOverlay && $0.reported.isEmpty })
        let whole = Self.withFrame { Track(joining: fragments, in: $0) }
        #expect(whole.isTentative && whole.isOverlay && whole.reported.isEmpty)
    }

    @Test func aVerifiedOverlayStaysOne() {
        var track = Self.track(Self.line("14:03:08"))
        track.isOverlay = true
        Self.withFrame { track.verify(Self.line("14:03:09").sure, in: $0) }
        #expect(track.isOverlay)
    }

    @Test func aLineThatWasSeenLongEndsAfterFourMisses() {
        var track = Self.track(Self.line("SKIN"))
        for _ in 0..<100 { track.recordScan(isHit: true, isFull: true) }
        for _ in 0..<3 { track.recordScan(isHit: false, isFull: true) }
        #expect(!track.isTerminated)
        track.recordScan(isHit: false, isFull: true)
        #expect(track.isTerminated)
    }

    @Test func onlyMissesInARowEndALine() {
        var track = Self.track(Self.line("SKIN"))
        for _ in 0..<2 { track.recordScan(isHit: true, isFull: true) }
        for _ in 0..<8 {
            for isHit in [false, false, true] { track.recordScan(isHit: isHit, isFull: true) }
            #expect(!track.isTerminated)
        }
    }

    @Test(arguments: [(2, 20, true), (5, 20, false), (5, 40, true), (9, 40, false)])
    func aLineNearAnEdgeForItsHeightIsTruncated(left: Int, height: Int, isTruncated: Bool) {
        let region = Quad(Box(left: left, top: 40, right: 150, bottom: 40 + height))
        #expect(
            Self.withFrame { Track(Self.line("SKIN"), region: region, score: 0.9, in: $0).isTruncated } == isTruncated
        )
    }
}

extension TextLine {
    /// Line with a sure reading.
    fileprivate var sure: TextLine {
        var line = self
        line.scores = TextLine.Scores(detection: 0.9, recognition: 0.95)
        return line
    }
}
