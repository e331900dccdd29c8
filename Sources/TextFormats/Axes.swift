internal import Glibc
internal import GlyphwireProtocol
internal import TextModel

/// Axes of a text: along its lines, and from the tops of its characters to their bottoms.
///
/// In a mirrored picture the second axis is on the other side of the first.
struct Axes {
    let along: Point
    let down: Point

    /// Creates the axes of the text in `quad`.
    init(_ quad: Quad) {
        let x = quad.topRight.x - quad.topLeft.x + quad.bottomRight.x - quad.bottomLeft.x
        let y = quad.topRight.y - quad.topLeft.y + quad.bottomRight.y - quad.bottomLeft.y
        let length = hypotf(x, y)
        self.along = length > 0 ? Point(x: x / length, y: y / length) : Point(x: 1, y: 0)
        let (left, right) = (quad.bottomLeft - quad.topLeft, quad.bottomRight - quad.topRight)
        let side = Point(x: -self.along.y, y: self.along.x)
        let isMirrored = (left.x + right.x) * side.x + (left.y + right.y) * side.y < 0
        self.down = isMirrored ? Point(x: -side.x, y: -side.y) : side
    }

    /// Coordinates of a point in these axes.
    func coordinates(of point: Point) -> (along: Float, down: Float) {
        (
            point.x * self.along.x + point.y * self.along.y,
            point.x * self.down.x + point.y * self.down.y
        )
    }

    /// The point with coordinates in these axes.
    func point(along: Float, down: Float) -> Point {
        Point(
            x: along * self.along.x + down * self.down.x,
            y: along * self.along.y + down * self.down.y
        )
    }

    /// Smallest rectangle around `quads` with sides along these axes.
    func rectangle(around quads: [Quad]) -> Quad {
        var (start, end) = (Float.infinity, -Float.infinity)
        var (top, bottom) = (Float.infinity, -Float.infinity)
        for corner in quads.flatMap(\.corners) {
            let place = self.coordinates(of: corner)
            (start, end) = (min(start, place.along), max(end, place.along))
            (top, bottom) = (min(top, place.down), max(bottom, place.down))
        }
        return Quad(
            topLeft: self.point(along: start, down: top),
            topRight: self.point(along: end, down: top),
            bottomRight: self.point(along: end, down: bottom),
            bottomLeft: self.point(along: start, down: bottom)
        )
    }

    /// Rotation of the text counter-clockwise from level, rounded to quarter turns 0...3.
    var quarterTurns: Int {
        if abs(self.along.x) >= abs(self.along.y) { return self.along.x >= 0 ? 0 : 2 }
        return self.along.y < 0 ? 1 : 3
    }
}

extension Point {
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
}

extension Axes {
    /// Axes of level text: to the right, and down the picture.
    static let level = Axes(
        Quad(
            topLeft: Point(x: 0, y: 0),
            topRight: Point(x: 1, y: 0),
            bottomRight: Point(x: 1, y: 1),
            bottomLeft: Point(x: 0, y: 1)
        )
    )
}
