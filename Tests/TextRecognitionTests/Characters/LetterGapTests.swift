import Testing

@testable import TextRecognition

/// Cuts of long lines.
@Suite struct LetterGapTests {
    /// Letters ten columns wide and two apart, with wider gaps after some of them.
    private static func letters(_ count: Int, wider: [Int: Float] = [:]) -> [BoundingBox] {
        var x: Float = 0
        return (0..<count).map { index in
            defer { x += 12 + (wider[index] ?? 0) }
            return BoundingBox(x, x + 10)
        }
    }

    @Test func aLineIsCutInTheWidestGapNearTheMiddle() {
        let letters = Self.letters(100, wider: [10: 30, 44: 8, 58: 9])
        let cuts = LetterGap.gaps(between: letters).cuts(into: 2, of: letters[99].x1)
        #expect(cuts.map(\.middle) == [(letters[58].x1 + letters[59].x0) / 2])
        #expect(cuts.map(\.endsWord) == [true])
    }

    @Test func ofGapsThatAreAsWideTheNearestIsTaken() {
        let letters = Self.letters(100)
        let cut = LetterGap.gaps(between: letters).cuts(into: 2, of: letters[99].x1).first
        #expect(cut?.middle == 599)
        #expect(cut?.endsWord == false)
    }

    @Test func aLineWithoutGapsIsCutIntoEqualSections() {
        let cuts = LetterGap.gaps(between: [BoundingBox(0, 900), BoundingBox(850, 1000)]).cuts(into: 4, of: 1000)
        #expect(cuts.map(\.middle) == [250, 500, 750])
        #expect(!cuts.contains { $0.endsWord })
    }
}
