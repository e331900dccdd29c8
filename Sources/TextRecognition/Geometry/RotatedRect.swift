internal import Glibc
package import TextModel

/// A rectangle at any angle, in whichever pixels its owner says.
package struct RotatedRect: Sendable {
    /// The centre.
    package var centre: Point
    /// The unit vector along ``width``.
    package var axis: Point
    /// The length of the sides along ``axis``.
    package var width: Float
    /// The length of the sides across ``axis``.
    package var height: Float

    package init(centre: Point, axis: Point, width: Float, height: Float) {
        self.centre = centre
        self.axis = axis
        self.width = width
        self.height = height
    }

    /// The same rectangle with its ``axis`` to the right, at most 45 degrees up or down.
    package var levelled: RotatedRect {
        var rect = self
        if abs(rect.axis.y) > abs(rect.axis.x) {
            rect.axis = Point(x: -rect.axis.y, y: rect.axis.x)
            swap(&rect.width, &rect.height)
        }
        if rect.axis.x < 0 { rect.axis = Point(x: -rect.axis.x, y: -rect.axis.y) }
        return rect
    }

    /// The area.
    var area: Float { self.width * self.height }

    /// Returns the rectangle with its sides moved outwards by `distance`.
    func expanded(by distance: Float) -> RotatedRect {
        var rect = self
        rect.width += 2 * distance
        rect.height += 2 * distance
        return rect
    }

    /// The corners, clockwise (y runs down) from the one where both axes are least.
    package var quad: Quad {
        let (ux, uy) = (self.axis.x * self.width / 2, self.axis.y * self.width / 2)
        let (vx, vy) = (-self.axis.y * self.height / 2, self.axis.x * self.height / 2)
        let (x, y) = (self.centre.x, self.centre.y)
        return Quad(
            topLeft: Point(x: x - ux - vx, y: y - uy - vy),
            topRight: Point(x: x + ux - vx, y: y + uy - vy),
            bottomRight: Point(x: x + ux + vx, y: y + uy + vy),
            bottomLeft: Point(x: x - ux + vx, y: y - uy + vy)
        )
    }
}

extension RotatedRect {
    /// The level rectangle around points, of which there is one at least.
    init(bounding points: [Point]) {
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (left, right, top, bottom) = (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
        self.init(
            centre: Point(x: (left + right) / 2, y: (top + bottom) / 2),
            axis: Point(x: 1, y: 0),
            width: right - left,
            height: bottom - top
        )
    }

    /// The minimum-area rectangle around a convex hull; `nil` for fewer than three corners.
    ///
    /// One of its sides lies along an edge of the hull: Freeman and Shapira, Determining the minimum-area encasing
    /// rectangle for an arbitrary closed curve, Communications of the ACM 18 (1975). Hulls here have some ten corners, so
    /// every edge is tried against every corner.
    init?(enclosing hull: [Point]) {
        guard hull.count >= 3 else { return nil }
        var best: RotatedRect?
        var bestArea = Float.infinity
        for index in hull.indices {
            let from = hull[index]
            let to = hull[index + 1 == hull.count ? 0 : index + 1]
            let length = hypotf(to.x - from.x, to.y - from.y)
            guard length > 0 else { continue }
            let axis = Point(x: (to.x - from.x) / length, y: (to.y - from.y) / length)
            var (minU, maxU, minV, maxV) = (Float.infinity, -Float.infinity, Float.infinity, -Float.infinity)
            for point in hull {
                let u = point.x * axis.x + point.y * axis.y
                let v = point.y * axis.x - point.x * axis.y
                minU = min(minU, u)
                maxU = max(maxU, u)
                minV = min(minV, v)
                maxV = max(maxV, v)
            }
            let area = (maxU - minU) * (maxV - minV)
            guard area < bestArea else { continue }
            bestArea = area
            let (u, v) = ((minU + maxU) / 2, (minV + maxV) / 2)
            best = RotatedRect(
                centre: Point(x: u * axis.x - v * axis.y, y: u * axis.y + v * axis.x),
                axis: axis,
                width: maxU - minU,
                height: maxV - minV
            )
        }
        guard let best else { return nil }
        self = best
    }
}
