import TextModel
import Testing

@testable import TextTracking

@Suite struct OpticalFlowTests {
    private static let side = 200
    /// Pixel of the earlier plane, in its middle.
    private static let corner = CornerDetector.Corner(x: 100, y: 100)

    /// Shift of the corner beyond a motion that zooms by 1.4, turns by an eighth, and takes the corner to `target`.
    private static func shift(to target: Point) throws -> Point? {
        let (a, middle) = (Float(0.99), Float(Self.side) / 2 + 0.5)
        let motion = Affine(a: a, b: -a, tx: target.x, c: a, d: a, ty: target.y - 2 * a * middle)
        let back = try #require(motion.inverse)
        var earlier = GrayPlane()
        earlier.resize(width: Self.side, height: Self.side)
        earlier.drawWaves { $0 }
        // The memory goes on with a row that fits, so that only the bounds can tell it from the plane.
        var later = GrayPlane()
        later.resize(width: Self.side, height: Self.side + 1)
        later.drawWaves { back($0) }
        later.resize(width: Self.side, height: Self.side)
        return OpticalFlow.shift(
            of: Self.corner,
            from: earlier,
            to: later,
            prediction: motion,
            start: Point(x: 0, y: 0)
        )
    }

    @Test func aWindowThatIsTurnedBeyondTheLastRowIsNotRead() throws {
        let inside = try #require(try Self.shift(to: Point(x: 100.5, y: 150)))
        #expect(abs(inside.x) < 0.1 && abs(inside.y) < 0.1)
        #expect(try Self.shift(to: Point(x: 100.5, y: 188.35)) == nil)
    }
}
