import Testing

@testable import TextRecognition

@Suite struct ForegroundMaskTests {
    private struct Measured {
        var hasForeground: Bool
        var pixels: [Float]
        var profile: [Float]
    }

    private static func measure(_ line: SyntheticLine) -> Measured {
        var mask = ForegroundMask()
        let hasForeground = mask.separate(line.gray, width: line.width, height: line.height)
        guard hasForeground else { return Measured(hasForeground: false, pixels: [], profile: []) }
        return Measured(
            hasForeground: true,
            pixels: (0..<line.width * line.height).map { mask.pixels[$0] },
            profile: (0..<line.width).map { mask.profile[$0] }
        )
    }

    @Test(arguments: [(220, 30), (30, 220), (255, 0), (90, 120), (120, 90)] as [(Float, Float)])
    func foregroundIsOneAndBackgroundZeroWhicheverIsDarker(background: Float, foreground: Float) {
        let line = SyntheticLine(width: 60, background: background, foreground: foreground).drawing(
            BoundingBox(10, 16),
            BoundingBox(30, 40)
        )
        let measured = Self.measure(line)
        #expect(measured.hasForeground)
        // The histogram has bins of 4, so a level may be off by 2.
        let error = 2.01 / abs(background - foreground)
        let expected = line.gray.map { $0 == foreground ? Float(1) : 0 }
        #expect(measured.pixels.difference(from: expected) <= error)
        for column in 0..<60 {
            let isForeground = (10..<16).contains(column) || (30..<40).contains(column)
            #expect(abs(measured.profile[column] - (isForeground ? 28 : 0)) <= 48 * error)
        }
    }

    @Test(arguments: [0, 3, 40, 128, 200, 255] as [Float])
    func aLineOfOneBrightnessHasNoInk(brightness: Float) {
        #expect(!Self.measure(SyntheticLine(width: 60, background: brightness)).hasForeground)
    }

    @Test func aLineOfLittleContrastHasNoForeground() {
        #expect(
            !Self.measure(SyntheticLine(width: 60, background: 120, foreground: 112).drawing(BoundingBox(10, 20)))
                .hasForeground
        )
        #expect(
            Self.measure(SyntheticLine(width: 60, background: 120, foreground: 100).drawing(BoundingBox(10, 20)))
                .hasForeground
        )
    }

    @Test(arguments: [(220, 30), (30, 220)] as [(Float, Float)])
    func boldLettersThatFillHalfTheLineAreForegroundByTheEdge(background: Float, foreground: Float) {
        // 55 of 100 columns, 44 of 48 rows: half the pixels.
        let line = SyntheticLine(width: 100, background: background, foreground: foreground).drawing(
            BoundingBox(4, 32, y0: 2, y1: 46),
            BoundingBox(40, 67, y0: 2, y1: 46)
        )
        let measured = Self.measure(line)
        #expect(measured.pixels[24 * 100 + 10] > 0.9)
        #expect(measured.pixels[24 * 100 + 36] < 0.1)
    }

    @Test func rulesAlongTheEdgesOfSparseTextDoNotInvertIt() {
        let line = SyntheticLine(width: 100).drawing(
            BoundingBox(0, 100, y0: 0, y1: 2),
            BoundingBox(0, 100, y0: 46, y1: 48),
            BoundingBox(20, 24),
            BoundingBox(50, 54)
        )
        let measured = Self.measure(line)
        #expect(measured.pixels[24 * 100 + 22] > 0.9)
        #expect(measured.pixels[24 * 100 + 80] < 0.1)
    }

    @Test(arguments: [true, false])
    func aShadowIsNoForeground(isAtTheEnd: Bool) {
        // The fold of a book: towards the end the background is nearer to the foreground elsewhere (30) than to the
        // background there (220).
        var line = SyntheticLine(width: 600)
        for x in stride(from: Float(8), to: 590, by: 20) { line = line.drawing(BoundingBox(x, x + 6)) }
        let shaded = line.shaded { x in min(1, 0.45 + 0.55 * Float(isAtTheEnd ? 599 - x : x) / 80) }
        let (clear, measured) = (Self.measure(line), Self.measure(shaded))
        #expect(measured.hasForeground)
        #expect(zip(clear.pixels, measured.pixels).allSatisfy { ($0 > 0.5) == ($1 > 0.5) })
    }

    @Test(arguments: [100, 200, 300])
    func ofALineInAHardShadowInkIsTheForeground(edge: Int) {
        // In the shadow paper has 88 and ink 12, together more of the line than the lit paper (220).
        var line = SyntheticLine(width: 600)
        for x in stride(from: Float(8), to: 590, by: 20) { line = line.drawing(BoundingBox(x, x + 6)) }
        let (clear, measured) = (Self.measure(line), Self.measure(line.shaded { $0 < edge ? 1 : 0.4 }))
        #expect(measured.hasForeground)
        // Two segments from the edge on have paper of both.
        let columns = (0..<600).filter { !(edge..<edge + 48).contains($0) }
        for index in columns.map({ 24 * 600 + $0 }) {
            #expect((clear.pixels[index] > 0.5) == (measured.pixels[index] > 0.5))
        }
    }
}
