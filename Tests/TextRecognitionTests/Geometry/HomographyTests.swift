import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct HomographyTests {
    /// Convex quads: rectangles with each corner moved, and turned.
    private static func convexQuad(_ random: inout SplitMix64) -> Quad {
        func moved(_ x: Float, _ y: Float) -> Point {
            Point(x: x + .random(in: -12...12, using: &random), y: y + .random(in: -6...6, using: &random))
        }
        let quad = Quad(
            topLeft: moved(40, 30),
            topRight: moved(140, 30),
            bottomRight: moved(140, 60),
            bottomLeft: moved(40, 60)
        )
        return quad.turned(.random(in: 0...3, using: &random))
    }

    /// The same map from the eight linear equations of its four corners, in double precision.
    private static func solved(width: Double, height: Double, to quad: Quad) -> (Double, Double) -> (
        x: Double, y: Double
    ) {
        let source = [(0, 0), (width, 0), (width, height), (0, height)]
        var rows: [[Double]] = []
        for ((x, y), corner) in zip(source, quad.corners) {
            let (u, v) = (Double(corner.x), Double(corner.y))
            rows.append([x, y, 1, 0, 0, 0, -x * u, -y * u, u])
            rows.append([0, 0, 0, x, y, 1, -x * v, -y * v, v])
        }
        for column in 0..<8 {
            let pivot = (column..<8).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
            rows.swapAt(column, pivot)
            for row in 0..<8 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in column..<9 { rows[row][index] -= factor * rows[column][index] }
            }
        }
        let p = (0..<8).map { rows[$0][8] / rows[$0][$0] }
        return { x, y in
            let w = p[6] * x + p[7] * y + 1
            return ((p[0] * x + p[1] * y + p[2]) / w, (p[3] * x + p[4] * y + p[5]) / w)
        }
    }

    @Test func takesTheCornersOfTheRectangleToThoseOfTheQuad() {
        var random = SplitMix64(1)
        for _ in 0..<200 {
            let quad = Self.convexQuad(&random)
            let map = Homography(width: 200, height: 48, to: quad)
            #expect(map.quad(x0: 0, y0: 0, x1: 200, y1: 48).distance(to: quad) < 0.01)
        }
    }

    @Test func agreesWithTheSolvedEquationsInsideAQuadInPerspective() {
        var random = SplitMix64(2)
        for _ in 0..<200 {
            let quad = Self.convexQuad(&random)
            let map = Homography(width: 200, height: 48, to: quad)
            let expected = Self.solved(width: 200, height: 48, to: quad)
            for (x, y) in [(0, 0), (100, 24), (13, 40), (199, 1), (77, 5)] as [(Float, Float)] {
                let (got, solved) = (map(x, y), expected(Double(x), Double(y)))
                #expect(abs(Double(got.x) - solved.x) < 0.02 && abs(Double(got.y) - solved.y) < 0.02)
            }
        }
    }

    @Test func isLinearForAParallelogram() {
        let quad = Quad(
            topLeft: Point(x: 10, y: 20),
            topRight: Point(x: 50, y: 30),
            bottomRight: Point(x: 45, y: 50),
            bottomLeft: Point(x: 5, y: 40)
        )
        let map = Homography(width: 4, height: 2, to: quad)
        #expect(map.g == 0 && map.h == 0)
        #expect(map(2, 1).distance(to: Point(x: 27.5, y: 35)) < 1e-4)
    }

    @Test func aQuadWithoutAreaGivesAMapThatStaysOnIt() {
        let point = Point(x: 7, y: 9)
        let dot = Quad(topLeft: point, topRight: point, bottomRight: point, bottomLeft: point)
        #expect(Homography(width: 100, height: 48, to: dot)(50, 20) == point)
        let end = Point(x: 17, y: 9)
        let stroke = Quad(topLeft: point, topRight: end, bottomRight: end, bottomLeft: point)
        #expect(Homography(width: 100, height: 48, to: stroke)(50, 20) == Point(x: 12, y: 9))
    }
}
