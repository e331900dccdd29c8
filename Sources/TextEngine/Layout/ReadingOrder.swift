internal import Glibc
internal import GlyphwireProtocol

/// Puts lines in the order in which a person reads them, columns included, whichever way the page is turned.
///
/// Breuel, High Performance Document Layout Analysis (Symposium on Document Image Understanding Technology, 2003): a line
/// comes before another that it stands above while sharing part of its width, or that stands wholly to its right with no
/// line between them that joins both columns; the order is a topological sort of that relation.
enum ReadingOrder {
    /// A line's extent on the upright picture.
    struct Extent {
        var left: Float
        var right: Float
        var top: Float
        var bottom: Float

        init(_ quad: Quad) {
            let corners = quad.corners
            self.left = corners.reduce(.infinity) { min($0, $1.x) }
            self.right = corners.reduce(-.infinity) { max($0, $1.x) }
            self.top = corners.reduce(.infinity) { min($0, $1.y) }
            self.bottom = corners.reduce(-.infinity) { max($0, $1.y) }
        }

        fileprivate var middle: Float { (self.top + self.bottom) / 2 }
        fileprivate func sharesWidth(with other: Extent) -> Bool { self.left < other.right && other.left < self.right }
        /// Whether both stand on one row of text.
        fileprivate func sharesRow(with other: Extent) -> Bool {
            let shared = min(self.bottom, other.bottom) - max(self.top, other.top)
            return shared > 0.5 * min(self.bottom - self.top, other.bottom - other.top)
        }
    }

    /// The indices of `lines` in reading order.
    static func sorted(_ lines: [Quad]) -> [Int] {
        let axis = Self.axis(of: lines)
        return Self.sorted(
            lines.map { line in
                // Seen along the direction in which most of the page runs, rows are level and columns upright.
                Extent(
                    line.mapCorners { point in
                        Point(x: point.x * axis.x + point.y * axis.y, y: point.y * axis.x - point.x * axis.y)
                    }
                )
            }
        )
    }

    /// The unit vector along which most of the text runs.
    private static func axis(of lines: [Quad]) -> Point {
        let sum = lines.reduce(Point(x: 0, y: 0)) { sum, line in
            Point(x: sum.x + line.topRight.x - line.topLeft.x, y: sum.y + line.topRight.y - line.topLeft.y)
        }
        let length = hypotf(sum.x, sum.y)
        return length > 0 ? Point(x: sum.x / length, y: sum.y / length) : Point(x: 1, y: 0)
    }

    /// The indices of `extents` in reading order.
    static func sorted(_ extents: [Extent]) -> [Int] {
        // From top to bottom, so that the relation is searched and walked in a fixed order.
        let byTop = extents.indices.sorted {
            (extents[$0].middle, extents[$0].left) < (extents[$1].middle, extents[$1].left)
        }
        var order: [Int] = []
        order.reserveCapacity(extents.count)
        var isPlaced = [Bool](repeating: false, count: extents.count)
        func place(_ index: Int) {
            guard !isPlaced[index] else { return }
            isPlaced[index] = true
            for other in byTop where !isPlaced[other] && Self.comes(other, before: index, extents) { place(other) }
            order.append(index)
        }
        for index in byTop { place(index) }
        return order
    }

    private static func comes(_ a: Int, before b: Int, _ extents: [Extent]) -> Bool {
        let (first, second) = (extents[a], extents[b])
        if first.sharesRow(with: second) { return first.left < second.left }
        if first.sharesWidth(with: second) { return first.middle < second.middle }
        guard first.right <= second.left else { return false }
        let top = min(first.middle, second.middle)
        let bottom = max(first.middle, second.middle)
        return !extents.contains { between in
            between.middle > top && between.middle < bottom && between.sharesWidth(with: first)
                && between.sharesWidth(with: second)
        }
    }
}
