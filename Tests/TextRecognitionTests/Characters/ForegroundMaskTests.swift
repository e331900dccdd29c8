import Testing

@testable import TextRecognition

@Suite struct ForegroundMaskTests {
    private struct Measured {
        var hasInk: Bool
        var ink: [Float]
        var profile: [Float]
    }

    private static func measure(_ line: InkLine) -> Measured {
        var map = ForegroundMask()
        let hasInk = map.measure(line.gray, width: line.width, height: line.height)
        guard hasInk else { return Measured(hasInk: false, ink: [], profile: []) }
        return Measured(
            hasInk: true,
            ink: (0..<line.width * line.height).map { map.ink[$0] },
            profile: (0..<line.width).map { map.profile[$0] }
        )
    }

    @Test(arguments: [(220, 30), (30, 220), (255, 0), (90, 120), (120, 90)] as [(Float, Float)])
    func inkIsOneAndPaperZeroWhicheverIsDarker(paper: Float, ink: Float) {
        let line = InkLine(width: 60, paper: paper, ink: ink).drawing(BoundingBox(10, 16), BoundingBox(30, 40))
        let measured = Self.measure(line)
        #expect(measured.hasInk)
        // Brightness is told apart in steps of 4, so a level may be off by 2.
        let error = 2.01 / abs(paper - ink)
        let expected = line.gray.map { $0 == ink ? Float(1) : 0 }
        #expect(measured.ink.difference(from: expected) <= error)
        for column in 0..<60 {
            let isInk = (10..<16).contains(column) || (30..<40).contains(column)
            #expect(abs(measured.profile[column] - (isInk ? 28 : 0)) <= 48 * error)
        }
    }

    @Test(arguments: [0, 3, 40, 128, 200, 255] as [Float])
    func aLineOfOneBrightnessHasNoInk(brightness: Float) {
        #expect(!Self.measure(InkLine(width: 60, paper: brightness)).hasInk)
    }

    @Test func aLineOfLittleContrastHasNoInk() {
        #expect(!Self.measure(InkLine(width: 60, paper: 120, ink: 112).drawing(BoundingBox(10, 20))).hasInk)
        #expect(Self.measure(InkLine(width: 60, paper: 120, ink: 100).drawing(BoundingBox(10, 20))).hasInk)
    }

    @Test(arguments: [(220, 30), (30, 220)] as [(Float, Float)])
    func boldLettersThatFillHalfTheLineAreInkBecauseTheEdgeIsPaper(paper: Float, ink: Float) {
        // 55 of 100 columns, 44 of 48 rows: half the pixels.
        let line = InkLine(width: 100, paper: paper, ink: ink).drawing(
            BoundingBox(4, 32, y0: 2, y1: 46),
            BoundingBox(40, 67, y0: 2, y1: 46)
        )
        let measured = Self.measure(line)
        #expect(measured.ink[24 * 100 + 10] > 0.9)
        #expect(measured.ink[24 * 100 + 36] < 0.1)
    }

    @Test func rulesAlongTheEdgesOfSparseInkDoNotTurnItAround() {
        let line = InkLine(width: 100).drawing(
            BoundingBox(0, 100, y0: 0, y1: 2),
            BoundingBox(0, 100, y0: 46, y1: 48),
            BoundingBox(20, 24),
            BoundingBox(50, 54)
        )
        let measured = Self.measure(line)
        #expect(measured.ink[24 * 100 + 22] > 0.9)
        #expect(measured.ink[24 * 100 + 80] < 0.1)
    }

    @Test(arguments: [true, false])
    func paperInAShadowIsNoInk(isAtTheEnd: Bool) {
        // The fold of a book: towards the end paper is nearer to the ink elsewhere (30) than to the paper there (220).
        var line = InkLine(width: 600)
        for x in stride(from: Float(8), to: 590, by: 20) { line = line.drawing(BoundingBox(x, x + 6)) }
        let shaded = line.shaded { x in min(1, 0.45 + 0.55 * Float(isAtTheEnd ? 599 - x : x) / 80) }
        let (clear, measured) = (Self.measure(line), Self.measure(shaded))
        #expect(measured.hasInk)
        #expect(zip(clear.ink, measured.ink).allSatisfy { ($0 > 0.5) == ($1 > 0.5) })
    }
}
