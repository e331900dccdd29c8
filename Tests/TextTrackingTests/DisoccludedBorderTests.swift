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

    @Test func stripsLieAtTheEdgesThatUncoverThem() {
        let strips = Self.after([(7, -12)]).strips(width: 640, height: 480)
        #expect(strips.map { [$0.left, $0.top, $0.right, $0.bottom] } == [[0, 0, 7, 480], [0, 468, 640, 480]])
    }
}
