import FrameCodecs
import GlyphwireProtocol
import TextEngine
import Testing

@testable import TextStream

@Suite struct TrackTests {
    /// A line of two words, neither of which is sure, unless it is said of the first.
    private static func line(_ words: String..., confidence: Float = 0.5) -> TextLine {
        let words = words.enumerated().map { index, text in
            let box = Quad(Box(left: index * 100, top: 40, right: index * 100 + 80, bottom: 60))
            return TextWord(text: text, confidence: index == 0 ? confidence : 0.5, box: box, characters: [])
        }
        let box = Quad(Box(left: 0, top: 40, right: 180, bottom: 60))
        return TextLine(text: words.map(\.text).joined(separator: " "), confidence: 0.5, box: box, words: words)
    }

    private static func track(_ line: TextLine) -> Track {
        var frame = GrayPlane()
        PixelBuffer(width: 320, height: 120, format: .gray).withPixels { frame.load($0) }
        var track = Track(line, region: line.box, score: 0.9, in: frame)
        track.wordIDs = [1, 2]
        return track
    }

    @Test func aLineThatIsReadAsSomethingElseEachTimeTellsTheWordsThatReadingsAgreeIn() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        #expect(track.told?.text == "SKIN CARE")
        track.count(Self.line("SKIN", "CORE"))
        #expect(track.told?.text == "SKIN")
        #expect(track.told?.words.map(\.id) == [1])
        track.count(Self.line("SHIN", "CAPE"))
        #expect(track.told?.text == "SKIN")
        track.count(Self.line("SHIN", "COPE"))
        #expect(track.told == nil)
    }

    @Test func aLineThatMostReadingsAgreeInIsToldAsAWhole() {
        var track = Self.track(Self.line("SKIN", "CARE"))
        track.count(Self.line("SHIN", "CORE"))
        track.count(Self.line("SKIN", "CARE"))
        #expect(track.told?.text == "SKIN CARE")
    }

    @Test func aWordThatIsSureIsToldWhateverItsLineIs() {
        var track = Self.track(Self.line("SKIN", "CARE", confidence: 0.95))
        track.count(Self.line("SHIN", "CORE"))
        track.count(nil)
        #expect(track.told?.text == "SKIN")
    }
}
