/// Which lines of a page are cells of a table, where a person reads row by row and not column by column.
///
/// Two columns of running text and two columns of a table look alike when their lines happen to be level; but the cells of
/// at least one column of a table are short, and most cells of a column have a neighbour in their row.
struct TableRows {
    /// A line of fewer times its height is as short as a cell: some twenty letters.
    private static let shortLength: Float = 12
    /// Lines of a column farther apart, in line heights, are not looked at together.
    private static let widestGap: Float = 1.5
    /// How many cells of a column must have a neighbour on their left.
    private static let neighbouredShare: Float = 0.6

    /// From top to bottom.
    private let lines: [ReadingOrder.Extent]
    /// For each line, the nearest to its left in the same row.
    private let neighbours: [Int?]

    /// The indices of `lines`, which come from top to bottom, row by row and from left to right; what is no cell is a row of
    /// its own.
    static func rows(of lines: [ReadingOrder.Extent]) -> [[Int]] {
        let table = TableRows(lines)
        var rows: [[Int]] = []
        var rowOfLine = [Int](repeating: 0, count: lines.count)
        for line in lines.indices.sorted(by: { lines[$0].left < lines[$1].left }) {
            if let neighbour = table.neighbours[line], table.isCell(line, besides: neighbour) {
                rowOfLine[line] = rowOfLine[neighbour]
                rows[rowOfLine[line]].append(line)
            } else {
                rowOfLine[line] = rows.count
                rows.append([line])
            }
        }
        return rows
    }

    private init(_ lines: [ReadingOrder.Extent]) {
        self.lines = lines
        self.neighbours = lines.map { line in
            var nearest: Int?
            for (index, other) in lines.enumerated() where other.left < line.left && other.sharesRow(with: line) {
                if other.left > nearest.map({ lines[$0].left }) ?? -.infinity { nearest = index }
            }
            return nearest
        }
    }

    private func isCell(_ line: Int, besides neighbour: Int) -> Bool {
        let column = self.block(around: line, besides: neighbour)
        let left = column.compactMap { self.neighbours[$0] }
        return Float(left.count) >= Self.neighbouredShare * Float(column.count)
            && (self.areShort(column) || self.areShort(left))
    }

    /// A line with those above and below it in its column, up to the first wide gap.
    ///
    /// What also spans the column of its neighbour, such as a heading or a paragraph, is in neither.
    private func block(around line: Int, besides neighbour: Int) -> [Int] {
        let unclipDistance = Self.widestGap * (self.lines[line].bottom - self.lines[line].top)
        var block = [line]
        func walk(_ others: some Sequence<Int>) {
            var last = self.lines[line]
            for index in others {
                let other = self.lines[index]
                guard other.sharesWidth(with: self.lines[line]), !other.sharesWidth(with: self.lines[neighbour]) else {
                    continue
                }
                if max(other.top - last.bottom, last.top - other.bottom) > unclipDistance { break }
                block.append(index)
                last = other
            }
        }
        walk(self.lines.indices[..<line].reversed())
        walk(self.lines.indices[(line + 1)...])
        return block
    }

    /// Whether half of the lines are short, or more.
    private func areShort(_ some: [Int]) -> Bool {
        let short = some.count { index in
            let line = self.lines[index]
            return line.right - line.left < Self.shortLength * (line.bottom - line.top)
        }
        return 2 * short >= some.count
    }
}
