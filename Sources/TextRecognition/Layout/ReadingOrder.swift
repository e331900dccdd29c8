internal import Glibc
package import TextModel

/// The reading order of lines, columns and tables included, whichever way the page is turned.
///
/// It takes boxes in upright pixels and gives their order. The method is Breuel's, High Performance Document Layout Analysis
/// (Symposium on Document Image Understanding Technology, 2003): a line comes before another that it stands above while sharing
/// part of its width, or that stands wholly to its right with no line between them that joins both columns. The order is a
/// topological sort of that relation. Cells of a table come row by row, see ``TableRows``.
package enum ReadingOrder {
    /// The bounding box of a line on the page, turned so that most of its text runs level.
    ///
    /// Its coordinates are those of no picture, so it is neither a ``PixelRect`` nor a ``BoundingBox`` of a straightened line.
    struct Extent {
        /// The left edge.
        var left: Float
        /// The right edge.
        var right: Float
        /// The upper edge.
        var top: Float
        /// The lower edge.
        var bottom: Float

        /// Share of the lower line's height that two lines of one row have in common.
        ///
        /// Not measured.
        private static let minSharedHeight: Float = 0.5

        init(_ quad: Quad) {
            let corners = quad.corners
            self.left = corners.reduce(.infinity) { min($0, $1.x) }
            self.right = corners.reduce(-.infinity) { max($0, $1.x) }
            self.top = corners.reduce(.infinity) { min($0, $1.y) }
            self.bottom = corners.reduce(-.infinity) { max($0, $1.y) }
        }

        /// The middle between the upper and the lower edge.
        var middle: Float { (self.top + self.bottom) / 2 }

        /// The distance from the upper to the lower edge.
        var height: Float { self.bottom - self.top }

        /// Returns the bounding box of both.
        func union(_ other: Extent) -> Extent {
            var union = self
            union.left = min(self.left, other.left)
            union.right = max(self.right, other.right)
            union.top = min(self.top, other.top)
            union.bottom = max(self.bottom, other.bottom)
            return union
        }

        /// Returns whether the horizontal extents of both overlap.
        func sharesWidth(with other: Extent) -> Bool { self.left < other.right && other.left < self.right }

        /// Returns whether both stand on one row of text.
        func sharesRow(with other: Extent) -> Bool {
            let shared = min(self.bottom, other.bottom) - max(self.top, other.top)
            return shared > Self.minSharedHeight * min(self.height, other.height)
        }
    }

    /// Returns the indices of `lines` in reading order.
    package static func sorted(_ lines: [Quad]) -> [Int] {
        let axis = Self.axis(of: lines)
        return Self.sorted(
            lines.map { line in
                // Along the axis of most of the text, rows are level and columns upright.
                Extent(
                    line.mapCorners { point in
                        Point(x: point.x * axis.x + point.y * axis.y, y: point.y * axis.x - point.x * axis.y)
                    }
                )
            }
        )
    }

    /// Returns the unit vector along which most of the text runs.
    private static func axis(of lines: [Quad]) -> Point {
        let sum = lines.reduce(Point(x: 0, y: 0)) { sum, line in
            Point(x: sum.x + line.topRight.x - line.topLeft.x, y: sum.y + line.topRight.y - line.topLeft.y)
        }
        let length = hypotf(sum.x, sum.y)
        return length > 0 ? Point(x: sum.x / length, y: sum.y / length) : Point(x: 1, y: 0)
    }

    /// A row of a table, or a line that is no cell.
    private struct Row {
        /// The indices of its lines, from left to right.
        let lines: [Int]
        let extent: Extent
    }

    /// Returns the indices of `extents` in reading order.
    static func sorted(_ extents: [Extent]) -> [Int] {
        let byTop = Self.sortedByTop(extents)
        let rows = TableRows.rows(of: byTop.map { extents[$0] }).map { cells in
            let lines = cells.map { byTop[$0] }
            // A row of a table is read like a line that reaches across its cells.
            return Row(lines: lines, extent: lines.dropFirst().reduce(extents[lines[0]]) { $0.union(extents[$1]) })
        }
        let rowsByTop = Self.sortedByTop(rows.map(\.extent)).map { rows[$0] }
        return Self.topologicalOrder(rowsByTop.map(\.extent)).flatMap { rowsByTop[$0].lines }
    }

    private static func sortedByTop(_ extents: [Extent]) -> [Int] {
        extents.indices.sorted { (extents[$0].middle, extents[$0].left) < (extents[$1].middle, extents[$1].left) }
    }

    /// A node of the graph whose edges lead from each line to those that come before it.
    private struct Node {
        let extent: Extent
        /// Whether the depth-first search has reached it.
        var isVisited = false
    }

    /// Returns the indices of `extents`, which come from top to bottom, in topological order.
    ///
    /// It is a depth-first search with a stack of its own; the order from the top makes the result of cycles definite.
    private static func topologicalOrder(_ extents: [Extent]) -> [Int] {
        var nodes = extents.map { Node(extent: $0) }
        var order: [Int] = []
        order.reserveCapacity(nodes.count)
        // The lines on the path of the search, each waiting for the one above it on the stack.
        var path: [Int] = []
        for start in nodes.indices where !nodes[start].isVisited {
            nodes[start].isVisited = true
            path.append(start)
            while let line = path.last {
                if let earlier = Self.firstUnvisited(before: line, in: nodes) {
                    nodes[earlier].isVisited = true
                    path.append(earlier)
                } else {
                    order.append(line)
                    path.removeLast()
                }
            }
        }
        return order
    }

    /// Returns the first line from the top that comes before `line` and was not visited yet.
    ///
    /// Edges are found as they are needed, in one walk over the lines, so that a page of noise costs no more than the square of
    /// their number.
    private static func firstUnvisited(before line: Int, in nodes: [Node]) -> Int? {
        var first: Int?
        var above = ColumnGap(leftOf: nodes[line].extent)
        for other in nodes.indices[..<line].reversed() {
            above.advance(to: nodes[other].extent)
            guard !nodes[other].isVisited else { continue }
            if above.comesFirst(nodes[other].extent) { first = other }
        }
        if let first { return first }
        var below = ColumnGap(leftOf: nodes[line].extent)
        for other in nodes.indices[(line + 1)...] {
            below.advance(to: nodes[other].extent)
            guard !nodes[other].isVisited else { continue }
            if below.comesFirst(nodes[other].extent) { return other }
        }
        return nil
    }

    /// The gap on the left of a line's column, up to lines that bridge it, in a walk over the page.
    private struct ColumnGap {
        private let line: Extent
        /// The leftmost edge of lines that reach into the line's column, between the line and the last one met.
        private var leftEdge = Float.infinity
        /// The same, with the lines that are level with the last one met.
        private var leftEdgeWithLast = Float.infinity
        private var last: Extent

        init(leftOf line: Extent) {
            self.line = line
            self.last = line
        }

        /// Moves the walk on to the next line.
        mutating func advance(to other: Extent) {
            // Lines that are level with one another stand beside, and not between.
            if other.middle != self.last.middle { self.leftEdge = self.leftEdgeWithLast }
            self.last = other
            if other.middle != self.line.middle, other.right > self.line.left {
                self.leftEdgeWithLast = min(self.leftEdgeWithLast, other.left)
            }
        }

        /// Returns whether `other`, the last line met, comes before the line.
        func comesFirst(_ other: Extent) -> Bool {
            if other.sharesRow(with: self.line) { return other.left < self.line.left }
            if other.sharesWidth(with: self.line) { return other.middle < self.line.middle }
            return other.right <= self.line.left && other.right <= self.leftEdge
        }
    }
}
