/// Rows of tables on a page, whose cells are read row by row and not column by column.
///
/// Input and output are lines of ``ReadingOrder``. Two columns of running text and two columns of a table are similar
/// if their lines happen to be level. But the cells of at least one column of a table are short, most cells of a column
/// have a neighbour in their row, and not both columns are ``RunningText``. If the left one is, most of its lines have a
/// short one beside them: a table in the other column of a page has few rows. None of its own constants was measured.
struct TableRows {
    /// Maximum aspect ratio of a cell: some twenty letters.
    private static let maxCellLength: Float = 12
    /// Maximum gap between lines of one block of a column, in line heights.
    private static let maxBlockGap: Float = 1.5
    /// Minimum share of a column's cells with a neighbour on their left, and of lines of running text with a cell.
    private static let minNeighbourShare: Float = 0.6

    /// A line of the page.
    private struct Line {
        let extent: ReadingOrder.Extent
        /// The index of the nearest line to its left in the same row.
        let neighbour: Int?
        /// Whether a short line is next to it on its right in the same row.
        var hasCell = false
        /// The index of its row, once it has one.
        var row = 0
        /// Whether it is short enough for a cell.
        var isShort: Bool { self.extent.width < TableRows.maxCellLength * self.extent.height }
    }

    /// The lines from top to bottom.
    private var lines: [Line]

    /// Returns the indices of `extents`, sorted from top to bottom, by row and from left to right.
    ///
    /// A line that is not a cell is a row of its own.
    static func rows(of extents: [ReadingOrder.Extent]) -> [[Int]] {
        var table = TableRows(extents)
        return table.rows()
    }

    private init(_ extents: [ReadingOrder.Extent]) {
        self.lines = extents.map { line in
            var nearest: Int?
            for (index, other) in extents.enumerated() where other.left < line.left && other.sharesRow(with: line) {
                if other.left > nearest.map({ extents[$0].left }) ?? -.infinity { nearest = index }
            }
            return Line(extent: line, neighbour: nearest)
        }
        for line in self.lines where line.isShort {
            if let neighbour = line.neighbour { self.lines[neighbour].hasCell = true }
        }
    }

    /// Assigns each line to the row of its neighbour, from left to right, or to a new one.
    private mutating func rows() -> [[Int]] {
        var rows: [[Int]] = []
        let fromLeft = self.lines.indices.sorted { self.lines[$0].extent.left < self.lines[$1].extent.left }
        for line in fromLeft {
            if let neighbour = self.lines[line].neighbour, self.isCell(line, beside: neighbour) {
                self.lines[line].row = self.lines[neighbour].row
                rows[self.lines[line].row].append(line)
            } else {
                self.lines[line].row = rows.count
                rows.append([line])
            }
        }
        return rows
    }

    /// Returns whether a line and its neighbour are cells of a table.
    private func isCell(_ line: Int, beside neighbour: Int) -> Bool {
        let column = self.block(around: line, beside: neighbour)
        let left = column.compactMap { self.lines[$0].neighbour }
        guard Self.areMost(left.count, of: column), self.areShort(column) || self.areShort(left) else { return false }
        let beside = self.block(around: neighbour, beside: line)
        guard self.isRunningText(beside) else { return true }
        return Self.areMost(beside.count { self.lines[$0].hasCell }, of: beside) && !self.isRunningText(column)
    }

    private static func areMost(_ count: Int, of block: [Int]) -> Bool {
        Float(count) >= Self.minNeighbourShare * Float(block.count)
    }

    /// Returns whether the lines of a block are running text.
    private func isRunningText(_ block: [Int]) -> Bool {
        RunningText.isMade(of: block.sorted().map { self.lines[$0].extent })
    }

    /// Returns a line with those above and below it in its column, up to the first wide gap.
    ///
    /// A line that also spans the column of its neighbour, such as a heading or a paragraph, is in neither.
    private func block(around line: Int, beside neighbour: Int) -> [Int] {
        let (centre, beside) = (self.lines[line].extent, self.lines[neighbour].extent)
        let maxGap = Self.maxBlockGap * centre.height
        var block = [line]
        func walk(_ others: some Sequence<Int>) {
            var last = centre
            for index in others {
                let other = self.lines[index].extent
                guard other.sharesWidth(with: centre), !other.sharesWidth(with: beside) else { continue }
                if max(other.top - last.bottom, last.top - other.bottom) > maxGap { break }
                block.append(index)
                last = other
            }
        }
        walk(self.lines.indices[..<line].reversed())
        walk(self.lines.indices[(line + 1)...])
        return block
    }

    /// Returns whether at least half of some lines are short.
    private func areShort(_ indices: [Int]) -> Bool {
        2 * indices.count { self.lines[$0].isShort } >= indices.count
    }
}
