extension Quad {
    /// Area in square pixels, positive whichever way the corners run.
    package var area: Float {
        func cross(_ p: Point, _ q: Point) -> Float { p.x * q.y - q.x * p.y }
        let (a, b, c, d) = (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft)
        return abs(cross(a, b) + cross(b, c) + cross(c, d) + cross(d, a)) / 2
    }

    // The corners are written out, without an array for each quad: each line is compared with each other one.

    /// Axis-aligned bounding box; a coordinate that is no number does not count.
    package var bounds: (left: Float, top: Float, right: Float, bottom: Float) {
        var bounds = (left: Float.infinity, top: Float.infinity, right: -Float.infinity, bottom: -Float.infinity)
        func extend(_ corner: Point) {
            bounds.left = min(bounds.left, corner.x)
            bounds.top = min(bounds.top, corner.y)
            bounds.right = max(bounds.right, corner.x)
            bounds.bottom = max(bounds.bottom, corner.y)
        }
        extend(self.topLeft)
        extend(self.topRight)
        extend(self.bottomRight)
        extend(self.bottomLeft)
        return bounds
    }

    /// Mean of the four corners.
    package var centre: Point {
        let (a, b, c, d) = (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft)
        return Point(x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4)
    }

    /// Area of the intersection with another quad in square pixels; both are convex.
    ///
    /// Sutherland and Hodgman, Reentrant polygon clipping, Communications of the ACM 17 (1974).
    package func intersectionArea(with other: Quad) -> Float {
        let (mine, theirs) = (self.bounds, other.bounds)
        guard mine.left < theirs.right, theirs.left < mine.right, mine.top < theirs.bottom, theirs.top < mine.bottom
        else { return 0 }
        if self.isAxisAligned, other.isAxisAligned {
            return (min(mine.right, theirs.right) - max(mine.left, theirs.left))
                * (min(mine.bottom, theirs.bottom) - max(mine.top, theirs.top))
        }
        var polygon = self.corners
        let clip = other.corners
        // A mirrored quad has its corners the other way round, and its inside on the other side of each edge.
        let side: Float = Self.signedArea(clip) < 0 ? -1 : 1
        for (index, start) in clip.enumerated() {
            polygon = Self.clip(polygon, from: start, to: clip[(index + 1) % clip.count], side: side)
            guard polygon.count > 2 else { return 0 }
        }
        return abs(Self.signedArea(polygon))
    }

    /// Whether it is a rectangle with sides along the axes, as level text has.
    private var isAxisAligned: Bool {
        let (a, b, c, d) = (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft)
        return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
            || a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y
    }

    /// Intersection over union with another quad, the Jaccard index of their areas; 0 where both have none.
    package func intersectionOverUnion(with other: Quad) -> Float {
        let intersection = self.intersectionArea(with: other)
        let union = self.area + other.area - intersection
        return union > 0 ? intersection / union : 0
    }

    /// Part of a polygon on the inner side of the line through two points.
    private static func clip(_ polygon: [Point], from start: Point, to end: Point, side: Float) -> [Point] {
        func distance(_ point: Point) -> Float {
            side * ((end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x))
        }
        var clipped: [Point] = []
        for index in polygon.indices {
            let (p, q) = (polygon[index], polygon[(index + 1) % polygon.count])
            let (atP, atQ) = (distance(p), distance(q))
            if atP >= 0 { clipped.append(p) }
            if (atP > 0 && atQ < 0) || (atP < 0 && atQ > 0) {
                let fraction = atP / (atP - atQ)
                clipped.append(Point(x: p.x + (q.x - p.x) * fraction, y: p.y + (q.y - p.y) * fraction))
            }
        }
        return clipped
    }

    /// Signed area of a polygon by the shoelace formula.
    private static func signedArea(_ corners: [Point]) -> Float {
        var sum: Float = 0
        for index in corners.indices {
            let (p, q) = (corners[index], corners[(index + 1) % corners.count])
            sum += p.x * q.y - q.x * p.y
        }
        return sum / 2
    }
}
