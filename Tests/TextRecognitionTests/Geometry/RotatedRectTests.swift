import Foundation
import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct RotatedRectTests {
    private static func random(_ random: inout SplitMix64) -> RotatedRect {
        let angle = Float.random(in: -.pi ... .pi, using: &random)
        return RotatedRect(
            centre: Point(x: .random(in: 100...900, using: &random), y: .random(in: 100...900, using: &random)),
            axis: Point(x: cosf(angle), y: sinf(angle)),
            width: .random(in: 30...300, using: &random),
            height: .random(in: 4...25, using: &random)
        )
    }

    /// Maximum corner distance of two rectangles, whatever their first corner.
    private static func distance(_ a: RotatedRect, _ b: RotatedRect) -> Float {
        (0...3).map { a.quad.distance(to: b.quad.turned($0)) }.min() ?? .infinity
    }

    private static func area(_ hull: [Point], at angle: Float) -> Float {
        let along = hull.map { $0.x * cosf(angle) + $0.y * sinf(angle) }
        let across = hull.map { $0.y * cosf(angle) - $0.x * sinf(angle) }
        return ((along.max() ?? 0) - (along.min() ?? 0)) * ((across.max() ?? 0) - (across.min() ?? 0))
    }

    @Test func itsCornersRunClockwiseFromTheTopLeft() {
        let rect = RotatedRect(centre: Point(x: 50, y: 40), axis: Point(x: 1, y: 0), width: 20, height: 10)
        #expect(rect.quad == Quad(x: 40, y: 35, width: 20, height: 10))
        let quarter = RotatedRect(centre: Point(x: 50, y: 40), axis: Point(x: 0, y: 1), width: 20, height: 10)
        #expect(quarter.quad.topLeft == Point(x: 55, y: 30))
        #expect(quarter.quad.topRight == Point(x: 55, y: 50))
    }

    @Test func aRectangleIsRecoveredFromItsCorners() throws {
        var random = SplitMix64(3)
        for _ in 0..<500 {
            let rect = Self.random(&random)
            let found = try #require(RotatedRect(enclosing: rect.quad.corners))
            #expect(Self.distance(found, rect) < 0.05)
        }
    }

    @Test func pointsOnItsSidesDoNotDisturbARectangle() throws {
        var random = SplitMix64(4)
        for _ in 0..<200 {
            let rect = Self.random(&random)
            let corners = rect.quad.corners
            let hull = corners.indices.flatMap { index in
                let (a, b) = (corners[index], corners[(index + 1) % 4])
                return [a, Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)]
            }
            let found = try #require(RotatedRect(enclosing: hull))
            #expect(abs(found.width * found.height - rect.width * rect.height) < 0.01 * rect.width * rect.height)
        }
    }

    @Test func noRectangleAtAnyAngleIsSmaller() throws {
        var random = SplitMix64(5)
        for _ in 0..<50 {
            let angles = (0..<9).map { _ in Float.random(in: 0...(2 * .pi), using: &random) }.sorted()
            let hull = angles.map { Point(x: 300 + 120 * cosf($0), y: 300 + 40 * sinf($0)) }
            let found = try #require(RotatedRect(enclosing: hull))
            for degree in 0..<360 {
                #expect(found.width * found.height <= Self.area(hull, at: Float(degree) * .pi / 720) * 1.0001)
            }
            for point in hull {
                let (x, y) = (point.x - found.centre.x, point.y - found.centre.y)
                #expect(abs(x * found.axis.x + y * found.axis.y) <= found.width / 2 + 0.01)
                #expect(abs(y * found.axis.x - x * found.axis.y) <= found.height / 2 + 0.01)
            }
        }
    }

    @Test func fewerThanThreeCornersEncloseNothing() {
        #expect(RotatedRect(enclosing: []) == nil)
        #expect(RotatedRect(enclosing: [Point(x: 1, y: 1), Point(x: 2, y: 5)]) == nil)
        #expect(RotatedRect(enclosing: [Point](repeating: Point(x: 1, y: 1), count: 4)) == nil)
    }

    @Test func levelledIsTheSamePlaceWithAnAxisToTheRight() {
        var random = SplitMix64(6)
        for _ in 0..<500 {
            let rect = Self.random(&random)
            let level = rect.levelled
            #expect(Self.distance(level, rect) < 0.01)
            #expect(level.axis.x > 0)
            #expect(abs(level.axis.y) <= abs(level.axis.x))
        }
    }

    @Test func levelledKeepsALineThatStandsUprightTall() {
        let standing = RotatedRect(centre: Point(x: 0, y: 0), axis: Point(x: 0, y: -1), width: 90, height: 10).levelled
        #expect(standing.axis == Point(x: 1, y: 0))
        #expect(standing.width == 10 && standing.height == 90)
    }

    @Test func expandedMovesEverySideOutwards() {
        let rect = RotatedRect(centre: Point(x: 50, y: 40), axis: Point(x: 1, y: 0), width: 20, height: 10)
        #expect(rect.expanded(by: 3).quad == Quad(x: 37, y: 32, width: 26, height: 16))
    }
}
