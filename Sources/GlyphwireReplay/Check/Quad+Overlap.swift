internal import GlyphwireProtocol
internal import TextModel

extension Quad {
    /// Intersection over union of two boxes, 0...1.
    func overlap(with other: Quad) -> Double {
        let (a, b) = (Self.clockwise(self.corners), Self.clockwise(other.corners))
        let shared = abs(Self.doubleArea(Self.clip(a, to: b)))
        let covered = abs(Self.doubleArea(a)) + abs(Self.doubleArea(b)) - shared
        return covered > 0 ? min(shared / covered, 1) : (self == other ? 1 : 0)
    }

    /// Mean of the four corners.
    var centre: Point {
        let corners = self.corners
        return Point(x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
    }

    /// Corners in the order that makes their area positive; that of a mirrored box is reversed.
    private static func clockwise(_ corners: [Point]) -> [Point] {
        Self.doubleArea(corners) < 0 ? corners.reversed() : corners
    }

    private static func doubleArea(_ corners: [Point]) -> Double {
        guard var last = corners.last else { return 0 }
        var area = 0.0
        for corner in corners {
            area += Double(last.x) * Double(corner.y) - Double(corner.x) * Double(last.y)
            last = corner
        }
        return area
    }

    /// Clips the convex `polygon` to the convex `frame`, one side after another (Sutherland-Hodgman).
    private static func clip(_ polygon: [Point], to frame: [Point]) -> [Point] {
        var polygon = polygon
        for (index, start) in frame.enumerated() {
            let end = frame[(index + 1) % frame.count]
            let distance = { (point: Point) in
                Double(end.x - start.x) * Double(point.y - start.y)
                    - Double(end.y - start.y) * Double(point.x - start.x)
            }
            guard var previous = polygon.last else { return [] }
            var kept: [Point] = []
            for point in polygon {
                let (before, here) = (distance(previous), distance(point))
                if (before < 0) != (here < 0) {
                    let part = Float(before / (before - here))
                    kept.append(
                        Point(
                            x: previous.x + (point.x - previous.x) * part,
                            y: previous.y + (point.y - previous.y) * part
                        )
                    )
                }
                if here >= 0 { kept.append(point) }
                previous = point
            }
            polygon = kept
        }
        return polygon
    }
}
