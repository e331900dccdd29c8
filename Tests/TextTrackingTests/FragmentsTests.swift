import ImageCodecs
import GlyphwireProtocol
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

/// Fragments of a line that is split between its words.
@Suite struct FragmentsTests {
    /// Line of three words with gaps of 20 pixels between them.
    private static let line: TextLine = {
        let words = [(0, "ONE"), (100, "TWO"), (200, "THREE")].map { left, text in
            TextWord(text, left..<left + 80)
        }
        return TextLine(text: "ONE TWO THREE", confidence: 0.9, box: Self.quad(left: 0, right: 280), words: words)
    }()

    private static func quad(left: Int, right: Int) -> Quad { Quad(Box(left: left, top: 40, right: right, bottom: 60)) }

    /// Fragments of a line that has changed in some columns: their texts, and whether they are kept.
    private static func fragments(of line: TextLine = Self.line, changed columns: Range<Float>) -> [String: Bool] {
        var frame = GrayPlane()
        PixelBuffer(width: 320, height: 120, format: .gray).withPixels { frame.load($0) }
        var track = Track(line, region: line.box, score: 0.9, in: frame)
        track.wordIDs = [1, 2, 3]
        let fragments = track.fragments(in: frame, splitLineID: 0) { place in
            let bounds = place.bounds
            return bounds.left < columns.upperBound && bounds.right > columns.lowerBound
        }
        return Dictionary(uniqueKeysWithValues: fragments.map { ($0.line.text, $0.status == .matched) })
    }

    @Test func eachFragmentIsKeptAsAWholeOrLost() {
        #expect(Self.fragments(changed: 110..<120) == ["ONE": true, "TWO": false, "THREE": true])
        #expect(Self.fragments(changed: 110..<220) == ["ONE": true, "TWO THREE": false])
        #expect(Self.fragments(changed: 500..<600) == ["ONE TWO THREE": true])
        #expect(Self.fragments(changed: 0..<280) == ["ONE TWO THREE": false])
    }

    @Test func linesWhoseWordsHaveNoIDsAreJoinedByThemselves() {
        var frame = GrayPlane()
        PixelBuffer(width: 320, height: 120, format: .gray).withPixels { frame.load($0) }
        var fragments: [Track] = []
        for (index, line) in [Self.line, Self.line.moved(by: Affine(x: 0, y: 40))].enumerated() {
            var track = Track(line, region: line.box, score: 0.9, in: frame)
            track.wordIDs = line.words.map { _ in WordIDs.none }
            fragments += track.fragments(in: frame, splitLineID: index) { place in
                place.bounds.left < 120 && place.bounds.right > 110
            }
        }
        #expect(fragments.count == 6)
        #expect(fragments.joined(in: frame).map(\.line.text) == ["ONE TWO THREE", "ONE TWO THREE"])
    }

    @Test func aChangeInAGapBelongsToTheNearerWord() {
        #expect(Self.fragments(changed: 92..<94) == ["ONE": true, "TWO": false, "THREE": true])
        #expect(Self.fragments(changed: 86..<88) == ["ONE": false, "TWO THREE": true])
    }

    @Test func wordsThatOthersCoverAreRemoved() {
        func without(_ columns: Range<Int>, isSure: Bool = true) -> String? {
            Self.line.removing(duplicatesOf: [TextWord("X", columns)], isSure: isSure)?.text
        }
        #expect(without(0..<55) == "ONE TWO THREE")
        #expect(without(0..<57) == "TWO THREE")
        #expect(without(100..<300) == "ONE")
        #expect(without(0..<300) == nil)
        #expect(without(120..<140) == "ONE TWO THREE")
        #expect(without(120..<140, isSure: false) == "ONE THREE")
    }

    @Test func aLineOfWordsWithoutTextHasNoText() {
        var line = Self.line
        line.text = ""
        for word in line.words.indices { line.words[word].text = "" }
        #expect(line.restricted(to: Array(line.words[...1]))?.text.isEmpty == true)
        #expect(line.joined(with: line).text.isEmpty)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e38])
    func aDegenerateLineIsOneFragment(_ value: Float) {
        var line = Self.line
        line.box = line.box.mapCorners { Point(x: $0.x * value, y: $0.y) }
        for word in line.words.indices { line.words[word].box = line.box }
        #expect(Self.fragments(of: line, changed: 0..<10).count == 1)
    }
}
