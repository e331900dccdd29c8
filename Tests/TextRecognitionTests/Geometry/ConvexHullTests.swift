import GlyphwireProtocol
import SeededRandom
import TextModel
import Testing

@testable import TextRecognition

@Suite struct ConvexHullTests {
    private typealias Extents = [(first: Int32, end: Int32)]

    /// A blob with arbitrary row extents; some rows are empty.
    private static func extents(_ random: inout SplitMix64) -> Extents {
        let rows = Int.random(in: 1...20, using: &random)
        var extents: Extents = (0..<rows).map { _ in
            let first = Int32.random(in: 0...30, using: &random)
            return (first, first + .random(in: 1...25, using: &random))
        }
        for row in extents.indices.dropFirst().dropLast() where Int.random(in: 0..<6, using: &random) == 0 {
            extents[row] = (.max, 0)
        }
        return extents
    }

    /// Corners by gift wrapping over every corner of every row, in integers.
    private static func wrapped(top: Int, _ extents: Extents) -> Set<Point> {
        var points: [(x: Int, y: Int)] = []
        for (index, extent) in extents.enumerated() where extent.first < extent.end {
            for y in [top + index, top + index + 1] {
                points.append((Int(extent.first), y))
                points.append((Int(extent.end), y))
            }
        }
        guard let start = points.min(by: { ($0.y, $0.x) < ($1.y, $1.x) }) else { return [] }
        var hull: Set<Point> = []
        var current = start
        repeat {
            hull.insert(Point(x: Float(current.x), y: Float(current.y)))
            var next = points.first { $0 != current } ?? current
            for point in points where point != current {
                let cross =
                    (next.x - current.x) * (point.y - current.y) - (next.y - current.y) * (point.x - current.x)
                let nextLength = abs(next.x - current.x) + abs(next.y - current.y)
                let length = abs(point.x - current.x) + abs(point.y - current.y)
                if cross < 0 || (cross == 0 && length > nextLength) { next = point }
            }
            current = next
        } while current != start
        return hull
    }

    @Test func aPixelHasFourCorners() {
        let hull = ConvexHull.around(top: 5, extents: [(first: 3, end: 4)])
        #expect(hull.count == 4)
        #expect(Set(hull) == Set(Quad(x: 3, y: 5, width: 1, height: 1).corners))
    }

    @Test func rowsInAStraightColumnMakeOneRectangle() {
        let hull = ConvexHull.around(top: 2, extents: [(first: 3, end: 9), (first: 3, end: 9), (first: 3, end: 9)])
        #expect(hull.count == 4)
        #expect(Set(hull) == Set(Quad(x: 3, y: 2, width: 6, height: 3).corners))
    }

    @Test func noRowsHaveNoHull() {
        #expect(ConvexHull.around(top: 0, extents: []).isEmpty)
        #expect(ConvexHull.around(top: 0, extents: [(first: .max, end: 0)]).isEmpty)
    }

    @Test func itHasTheCornersThatGiftWrappingFinds() {
        var random = SplitMix64(7)
        for _ in 0..<500 {
            let extents = Self.extents(&random)
            let hull = ConvexHull.around(top: 11, extents: extents)
            #expect(Set(hull) == Self.wrapped(top: 11, extents))
            #expect(Set(hull).count == hull.count)
        }
    }

    @Test func itTurnsTheSameWayAtEveryCorner() {
        var random = SplitMix64(8)
        for _ in 0..<500 {
            let hull = ConvexHull.around(top: 0, extents: Self.extents(&random))
            for index in hull.indices {
                let (a, b, c) = (hull[index], hull[(index + 1) % hull.count], hull[(index + 2) % hull.count])
                #expect((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0)
            }
        }
    }
}
