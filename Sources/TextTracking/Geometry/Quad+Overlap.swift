internal import TextModel
internal import TextRecognition

extension Quad {
    /// The surface, positive whichever way the corners run.
    var area: Float { abs(Self.signedArea(self.corners)) }

    /// The least upright rectangle around the quad.
    var bounds: (left: Float, top: Float, right: Float, bottom: Float) {
        let corners = self.corners
        return (
            corners.reduce(.infinity) { min($0, $1.x) }, corners.reduce(.infinity) { min($0, $1.y) },
            corners.reduce(-.infinity) { max($0, $1.x) }, corners.reduce(-.infinity) { max($0, $1.y) }
        )
    }

    /// Whether no corner lies outside a frame, or nearer to its edges than a margin.
    func isInside(_ frame: (width: Int, height: Int), margin: Float = 0) -> Bool {
        let bounds = self.bounds
        return bounds.left >= margin && bounds.top >= margin && bounds.right <= Float(frame.width) - margin
            && bounds.bottom <= Float(frame.height) - margin
    }

    /// The middle.
    var centre: Point {
        let sum = self.corners.reduce(Point(x: 0, y: 0)) { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
        return Point(x: sum.x / 4, y: sum.y / 4)
    }

    /// The surface that this quad, which is convex, has in common with another.
    ///
    /// Sutherland and Hodgman, Reentrant polygon clipping, Communications of the ACM 17 (1974).
    func sharedArea(with other: Quad) -> Float {
        let (mine, theirs) = (self.bounds, other.bounds)
        guard mine.left < theirs.right, theirs.left < mine.right, mine.top < theirs.bottom, theirs.top < mine.bottom
        else { return 0 }
        var shape = self.corners
        let clip = other.corners
        let side: Float = Self.signedArea(clip) < 0 ? -1 : 1
        for index in 0..<4 {
            let (from, to) = (clip[index], clip[(index + 1) % 4])
            func inside(_ point: Point) -> Float {
                side * ((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x))
            }
            var kept: [Point] = []
            for corner in shape.indices {
                let (p, q) = (shape[corner], shape[(corner + 1) % shape.count])
                let (atP, atQ) = (inside(p), inside(q))
                if atP >= 0 { kept.append(p) }
                if (atP > 0 && atQ < 0) || (atP < 0 && atQ > 0) {
                    let part = atP / (atP - atQ)
                    kept.append(Point(x: p.x + (q.x - p.x) * part, y: p.y + (q.y - p.y) * part))
                }
            }
            guard kept.count >= 3 else { return 0 }
            shape = kept
        }
        return abs(Self.signedArea(shape))
    }

    /// The shared surface as a fraction of the whole of both.
    func overlap(with other: Quad) -> Float {
        let shared = self.sharedArea(with: other)
        let whole = self.area + other.area - shared
        return whole > 0 ? shared / whole : 0
    }

    private static func signedArea(_ corners: [Point]) -> Float {
        var sum: Float = 0
        for index in corners.indices {
            let (p, q) = (corners[index], corners[(index + 1) % corners.count])
            sum += p.x * q.y - q.x * p.y
        }
        return sum / 2
    }
}
