internal import Glibc
package import TextModel

/// Reading order of lines, columns and tables on a page of any orientation.
///
/// Input: boxes in upright pixels. Output: their order. The method is Breuel's, High Performance Document Layout
/// Analysis (Symposium on Document Image Understanding Technology, 2003): a line is before another below it that
/// overlaps its width, and before one entirely to its right if no line between them spans both columns. One that lies
/// below a header or a title on its right is before it only if the columns of both are side by side. The order is a
/// topological sort of that relation. Cells of a table are ordered by row, see ``TableRows``.
package enum ReadingOrder {
    /// Returns the lines of a frame in reading order.
    package static func sorted(_ lines: [TextLine], in frame: UprightFrame) -> [TextLine] {
        Self.sorted(lines.map { frame.upright($0.box) }, words: lines.map { LineWords($0) }).map { lines[$0] }
    }

    /// Returns the indices of `lines` in reading order.
    ///
    /// - Parameters:
    ///   - lines: The boxes of the lines.
    ///   - words: The words of each; `nil` where they are unknown.
    /// - Returns: The indices.
    static func sorted(_ lines: [Quad], words: [LineWords]? = nil) -> [Int] {
        let axis = Self.axis(of: lines)
        let down = Self.side(of: lines, below: axis)
        let extents = lines.indices.map { line in
            // Along the axis of most of the text, rows are level and columns vertical.
            Extent(
                lines[line].mapCorners { point in
                    Point(
                        x: point.x * axis.x + point.y * axis.y,
                        y: down * (point.y * axis.x - point.x * axis.y)
                    )
                },
                words: words?[line] ?? LineWords()
            )
        }
        let across = lines.indices.filter { lines[$0].runsAcross(axis) }
        return Self.sorted(extents, across: Set(across))
    }

    /// Returns the unit vector along which most of the text runs.
    ///
    /// Lines that run across it do not count: one would tilt a page of short lines. The angle of a box is the surer the longer
    /// it is for its height.
    private static func axis(of lines: [Quad]) -> Point {
        var lengths: [Float] = [0, 0, 0, 0]
        for line in lines { lengths[line.quarterTurns] += line.width }
        let most = lengths.indices.max { (lengths[$0], $1) < (lengths[$1], $0) }
        let sum = lines.filter { $0.quarterTurns == most }.reduce(Point(x: 0, y: 0)) { sum, line in
            let weight = (line.width / max(line.height, 1)) * (line.width / max(line.height, 1))
            return Point(
                x: sum.x + weight * (line.topRight.x - line.topLeft.x),
                y: sum.y + weight * (line.topRight.y - line.topLeft.y)
            )
        }
        let length = hypotf(sum.x, sum.y)
        return length > 0 ? Point(x: sum.x / length, y: sum.y / length) : Point(x: 1, y: 0)
    }

    /// Returns 1 if the text has its lower side to the right of `axis`, and -1 if to the left, as where most of it runs left.
    private static func side(of lines: [Quad], below axis: Point) -> Float {
        let sum = lines.reduce(Float(0)) { sum, line in
            let (x, y) = (line.bottomLeft.x - line.topLeft.x, line.bottomLeft.y - line.topLeft.y)
            return sum + axis.x * y - axis.y * x
        }
        return sum < 0 ? -1 : 1
    }

    /// Row of a table, or a line that is not a cell.
    private struct Row {
        /// The indices of its lines, from left to right.
        let lines: [Int]
        let extent: Extent
    }

    /// Returns the indices of `extents` in reading order.
    ///
    /// - Parameters:
    ///   - extents: The lines.
    ///   - across: Those that run across the others, which are no cells of a table.
    /// - Returns: The indices.
    static func sorted(_ extents: [Extent], across: Set<Int> = []) -> [Int] {
        let byTop = Self.sortedByTop(extents)
        let level = byTop.filter { !across.contains($0) }
        let cells = TableRows.rows(of: level.map { extents[$0] }).map { row in row.map { level[$0] } }
        let rows = (cells + across.sorted().map { [$0] }).map { lines in
            // A row of a table is ordered like a line that spans its cells.
            Row(lines: lines, extent: lines.dropFirst().reduce(extents[lines[0]]) { $0.union(extents[$1]) })
        }
        let rowsByTop = Self.sortedByTop(rows.map(\.extent)).map { rows[$0] }
        return Self.topologicalOrder(rowsByTop.map(\.extent)).flatMap { rowsByTop[$0].lines }
    }

    private static func sortedByTop(_ extents: [Extent]) -> [Int] {
        extents.indices.sorted { (extents[$0].middle, extents[$0].left) < (extents[$1].middle, extents[$1].left) }
    }

    /// Node of the graph with edges from each line to those before it.
    private struct Node {
        let extent: Extent
        /// Whether the depth-first search has reached it.
        var isVisited = false
    }

    /// Returns the indices of `extents`, sorted from top to bottom, in topological order.
    ///
    /// It is a depth-first search with an explicit stack; visiting from the top makes the result deterministic if there
    /// are cycles.
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

    /// Returns the first unvisited line from the top that is before `line`.
    ///
    /// Edges are computed on demand, in one pass over the lines, so that the cost for a page of noise is at most
    /// quadratic.
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
        var beside = ColumnBeside(line, in: nodes)
        for other in nodes.indices[(line + 1)...] {
            below.advance(to: nodes[other].extent)
            beside.advance(to: nodes[other].extent)
            guard !nodes[other].isVisited, beside.hasLast else { continue }
            if below.comesFirst(nodes[other].extent) { return other }
        }
        return nil
    }

    /// Gap to the left of a line's column, up to lines that span it, in a pass over the page.
    private struct ColumnGap {
        private let line: Extent
        /// Leftmost edge of lines that extend into the line's column, between the line and the current one.
        private var leftEdge = Float.infinity
        /// The same, with lines that are level with the current one.
        private var leftEdgeWithLast = Float.infinity
        private var last: Extent

        init(leftOf line: Extent) {
            self.line = line
            self.last = line
        }

        /// Advances the pass to the next line.
        mutating func advance(to other: Extent) {
            // Lines that are level with one another are side by side, not between.
            if other.middle != self.last.middle { self.leftEdge = self.leftEdgeWithLast }
            self.last = other
            if other.middle != self.line.middle, other.right > self.line.left {
                self.leftEdgeWithLast = min(self.leftEdgeWithLast, other.left)
            }
        }

        /// Returns whether `other`, the current line, is before the line.
        func comesFirst(_ other: Extent) -> Bool {
            if other.sharesRow(with: self.line) { return other.left < self.line.left }
            if other.sharesWidth(with: self.line) { return other.isAbove(self.line) }
            return other.right <= self.line.left && other.right <= self.leftEdge
        }
    }

    /// Column of a line, and what lies beside it on the left, in a pass down the page.
    private struct ColumnBeside {
        private let line: Extent
        /// The lower end of the line's column.
        private var bottom: Float
        /// The lowest line of the column beside it, once there is one.
        private var lowest: Extent?
        /// Whether the current line is not to the left, or in the column beside.
        private(set) var hasLast = true

        init(_ line: Int, in nodes: [Node]) {
            self.line = nodes[line].extent
            self.bottom = self.line.bottom
            var last = self.line
            for other in nodes[(line + 1)...].lazy.map(\.extent) where other.sharesWidth(with: self.line) {
                guard other.follows(last) else { break }
                if other.bottom > self.bottom { (self.bottom, last) = (other.bottom, other) }
            }
            for other in nodes[..<line].lazy.map(\.extent)
            where other.right <= self.line.left && other.bottom > self.line.top { self.add(other) }
        }

        /// Advances the pass to the next line.
        mutating func advance(to other: Extent) {
            self.hasLast = true
            guard other.right <= self.line.left else { return }
            self.hasLast = other.top < self.bottom || self.lowest.map(other.follows) == true
            if self.hasLast { self.add(other) }
        }

        private mutating func add(_ other: Extent) {
            if other.bottom > self.lowest?.bottom ?? -.infinity { self.lowest = other }
        }
    }
}

extension Quad {
    /// Quarter turns clockwise of the direction in which the text runs, 0 for text that runs to the right.
    var quarterTurns: Int {
        let (x, y) = (self.topRight.x - self.topLeft.x, self.topRight.y - self.topLeft.y)
        return abs(x) >= abs(y) ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3)
    }

    /// Whether the text runs across an axis rather than along it.
    fileprivate func runsAcross(_ axis: Point) -> Bool {
        let (x, y) = (self.topRight.x - self.topLeft.x, self.topRight.y - self.topLeft.y)
        return abs(x * axis.y - y * axis.x) > abs(x * axis.x + y * axis.y)
    }
}
