/// Which lines of a page are cells of a table, where a person reads row by row and not column by column.
///
/// Two columns of running text and two columns of a table look alike when their lines happen to be level; but the cells of
/// at least one column of a table are short, and most cells of a column have a neighbour in their row.
struct TableRows {
    /// A line of fewer times its height is as short as a cell: some twenty letters.
    private static let shortLength: Float = 12
    /// How many cells of a column must have a neighbour on their left.
    private static let neighbouredShare: Float = 0.6

    private let lines: [ReadingOrder.Extent]
    /// For each line, the one that its row of cells starts with; the line itself where it is no cell.
    private var starts: [Int]

    /// The rows among `lines`.
    init(_ lines: [ReadingOrder.Extent]) {
        self.lines = lines
        self.starts = Array(lines.indices)
        let neighbours = lines.indices.map { Self.neighbour(of: $0, lines) }
        for line in lines.indices.sorted(by: { lines[$0].left < lines[$1].left }) {
            guard let neighbour = neighbours[line], Self.isInTable(line, lines, neighbours) else { continue }
            self.starts[line] = self.starts[neighbour]
        }
    }

    /// Whether a line comes before another because of the rows that they are in; `nil` where rows do not tell.
    func comes(_ line: Int, before other: Int) -> Bool? {
        let (start, otherStart) = (self.starts[line], self.starts[other])
        if start == otherStart { return self.lines[line].left < self.lines[other].left }
        guard start != line || otherStart != other else { return nil }
        guard self.lines[start].sharesWidth(with: self.lines[otherStart]) else { return nil }
        return self.lines[start].middle < self.lines[otherStart].middle
    }

    /// The nearest line to the left in the same row.
    private static func neighbour(of line: Int, _ lines: [ReadingOrder.Extent]) -> Int? {
        var nearest: Int?
        for other in lines.indices
        where lines[other].left < lines[line].left && lines[other].sharesRow(with: lines[line]) {
            if lines[other].left > nearest.map({ lines[$0].left }) ?? -.infinity { nearest = other }
        }
        return nearest
    }

    private static func isInTable(_ line: Int, _ lines: [ReadingOrder.Extent], _ neighbours: [Int?]) -> Bool {
        var (cells, short, neighboured, shortNeighbours) = (0, 0, 0, 0)
        for other in lines.indices where other == line || lines[other].sharesWidth(with: lines[line]) {
            cells += 1
            if Self.isShort(lines[other]) { short += 1 }
            guard let neighbour = neighbours[other] else { continue }
            neighboured += 1
            if Self.isShort(lines[neighbour]) { shortNeighbours += 1 }
        }
        return Float(neighboured) >= Self.neighbouredShare * Float(cells)
            && (2 * short >= cells || 2 * shortNeighbours >= neighboured)
    }

    private static func isShort(_ line: ReadingOrder.Extent) -> Bool {
        line.right - line.left < Self.shortLength * (line.bottom - line.top)
    }
}
