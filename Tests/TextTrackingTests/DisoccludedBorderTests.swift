import GlyphwireProtocol
import Testing

@testable import TextTracking

@Suite struct DisoccludedBorderTests {
    private static func after(_ shifts: [(x: Float, y: Float)]) -> DisoccludedBorder {
        shifts.reduce(DisoccludedBorder()) { before, shift in
            DisoccludedBorder(
                uncoveredBy: Affine(a: 1, b: 0, tx: shift.x, c: 0, d: 1, ty: shift.y),
                width: 640,
                height: 480,
                after: before
            )
        }
    }

    @Test func depthsOfSuccessiveMotionsAddUp() {
        #expect(Self.after([(5, 0)]).maxDepth == 5)
        #expect(Self.after([(5, 0), (8, 0)]).maxDepth == 13)
        #expect(Self.after([(5, -3), (-2, -9)]).maxDepth == 12)
    }

    @Test func whatLeavesTheViewAgainIsNoLongerPartOfTheBorder() {
        #expect(Self.after([(5, 0), (-5, 0)]).strips(width: 640, height: 480).count == 1)
        #expect(Self.after([(0, 0)]).maxDepth == 0)
        #expect(Self.after([(900, 0)]).maxDepth == 640)
        #expect(Self.after([(.nan, .infinity)]).maxDepth == 0)
    }

    @Test func aSideTooThinForAStripIsLeftWhenTheOthersAreScanned() {
        let rest = Self.after([(2, -14)]).unscanned
        #expect(rest.maxDepth == 2)
        let next = DisoccludedBorder(uncoveredBy: Affine(x: 2, y: -14), width: 640, height: 480, after: rest)
        let strips = next.strips(width: 640, height: 480)
        #expect(strips.map { [$0.left, $0.top, $0.right, $0.bottom] } == [[0, 0, 4, 480], [0, 466, 640, 480]])
        #expect(next.unscanned.maxDepth == 0)
    }

    /// Border after a turn by an angle, and a zoom, about the middle of a square of 960 pixels.
    private static func turned(by angle: Float, zoom: Float) -> DisoccludedBorder {
        let (a, c, middle) = (zoom * cosine(angle), zoom * sine(angle), Float(480))
        let motion = Affine(a: a, b: -c, tx: middle * (1 - a + c), c: c, d: a, ty: middle * (1 - a - c))
        return DisoccludedBorder(uncoveredBy: motion, width: 960, height: 960, after: DisoccludedBorder())
    }

    @Test(arguments: [0.27, 0.38, 0.78] as [Float]) func aTurnUncoversNothingIfTheZoomHidesMore(angle: Float) {
        #expect(Self.turned(by: angle, zoom: 1.45).maxDepth == 0)
        #expect(Self.turned(by: -angle, zoom: 1.45).maxDepth == 0)
    }

    @Test func aTurnUncoversTheCornersOfTheFrame() {
        // Half a side times 1 + tan 10° - 1 / cos 10°.
        #expect(abs(Self.turned(by: 0.1745, zoom: 1).maxDepth - 77.2) < 0.5)
        #expect(Self.turned(by: 0.1745, zoom: 1).strips(width: 960, height: 960).count == 4)
    }

    @Test func stripsLieAtTheEdgesThatUncoverThem() {
        let strips = Self.after([(7, -12)]).strips(width: 640, height: 480)
        #expect(strips.map { [$0.left, $0.top, $0.right, $0.bottom] } == [[0, 0, 7, 480], [0, 468, 640, 480]])
    }
}
