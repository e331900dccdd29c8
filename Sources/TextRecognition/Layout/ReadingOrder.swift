internal import Glibc
package import TextModel

/// Puts lines in the order in which a person reads them, columns included, whichever way the page is turned.
///
/// Breuel, High Performance Document Layout Analysis (Symposium on Document Image Understanding Technology, 2003): a line
/// comes before another that it stands above while sharing part of its width, or that stands wholly to its right with no
/// line between them that joins both columns; the order is a topological sort of that relation. Cells of a table come row
/// by row.
package enum ReadingOrder {
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

        var middle: Float { (self.top + self.bottom) / 2 }

        /// The least extent around both.
        func union(_ other: Extent) -> Extent {
            var union = self
            union.left = min(self.left, other.left)
            union.right = max(self.right, other.right)
            union.top = min(self.top, other.top)
            union.bottom = max(self.bottom, other.bottom)
            return union
        }

        func sharesWidth(with other: Extent) -> Bool { self.left < other.right && other.left < self.right }

        /// Whether both stand on one row of text.
        func sharesRow(with other: Extent) -> Bool {
            let shared = min(self.bottom, other.bottom) - max(self.top, other.top)
            return shared > 0.5 * min(self.bottom - self.top, other.bottom - other.top)
        }
    }

    /// The indices of `lines` in reading order.
    package static func sorted(_ lines: [Quad]) -> [Int] {
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
        let byTop = Self.sortedByTop(extents)
        let rows = TableRows.rows(of: byTop.map { extents[$0] }).map { row in row.map { byTop[$0] } }
        // A row of a table is read like a line that reaches across its cells.
        let lines = rows.map { row in row.dropFirst().reduce(extents[row[0]]) { $0.union(extents[$1]) } }
        let linesByTop = Self.sortedByTop(lines)
        return Self.sorted(fromTop: linesByTop.map { lines[$0] }).flatMap { rows[linesByTop[$0]] }
    }

    private static func sortedByTop(_ extents: [Extent]) -> [Int] {
        extents.indices.sorted { (extents[$0].middle, extents[$0].left) < (extents[$1].middle, extents[$1].left) }
    }

    /// The indices of `lines`, which come from top to bottom, so that their relation is searched and walked in a fixed order.
    private static func sorted(fromTop lines: [Extent]) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(lines.count)
        var isMet = [Bool](repeating: false, count: lines.count)
        // Lines whose turn has come, each waiting for the one after it.
        var waiting: [Int] = []
        for start in lines.indices where !isMet[start] {
            isMet[start] = true
            waiting.append(start)
            while let line = waiting.last {
                if let earlier = Self.firstUnmet(before: line, lines, isMet) {
                    isMet[earlier] = true
                    waiting.append(earlier)
                } else {
                    order.append(line)
                    waiting.removeLast()
                }
            }
        }
        return order
    }

    /// The first of `lines`, which come from top to bottom, that must be read before one of them and was not met yet.
    ///
    /// Each call takes one walk over the lines, so that a page of noise costs the square of their number and no more.
    private static func firstUnmet(before line: Int, _ lines: [Extent], _ isMet: [Bool]) -> Int? {
        var first: Int?
        var above = Gap(leftOf: lines[line])
        for other in lines.indices[..<line].reversed() {
            above.advance(to: lines[other])
            guard !isMet[other] else { continue }
            if above.comesFirst(lines[other]) { first = other }
        }
        if let first { return first }
        var below = Gap(leftOf: lines[line])
        for other in lines.indices[(line + 1)...] {
            below.advance(to: lines[other])
            guard !isMet[other] else { continue }
            if below.comesFirst(lines[other]) { return other }
        }
        return nil
    }

    /// What a walk away from a line, up or down the page, has met that joins the line's column with columns to its left.
    private struct Gap {
        private let line: Extent
        /// How far to the left such lines reach that stand between the line and the one met last.
        private var unclipDistance = Float.infinity
        /// The same, with those that are level with the one met last.
        private var reachWithLast = Float.infinity
        private var last: Extent

        init(leftOf line: Extent) {
            self.line = line
            self.last = line
        }

        mutating func advance(to other: Extent) {
            if other.middle != self.last.middle { self.unclipDistance = self.reachWithLast }
            self.last = other
            if other.middle != self.line.middle, other.right > self.line.left {
                self.reachWithLast = min(self.reachWithLast, other.left)
            }
        }

        /// Whether `other`, met last, comes before the line.
        func comesFirst(_ other: Extent) -> Bool {
            if other.sharesRow(with: self.line) { return other.left < self.line.left }
            if other.sharesWidth(with: self.line) { return other.middle < self.line.middle }
            return other.right <= self.line.left && other.right <= self.unclipDistance
        }
    }
}
