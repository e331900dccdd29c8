internal import TextModel

/// Grid of boxes, which finds those that may overlap another one.
///
/// A box is in the one cell where its top left corner is. The cell is larger than the box, but at most twice as large,
/// so boxes of other sizes are in cells of other sizes. A letter of a page has therefore few others in the cells around.
struct BoxGrid {
    /// Square of the plane.
    private struct Cell: Hashable {
        let side: Float
        let column: Int
        let row: Int
    }

    /// Column and row of the outermost cells, which include all that is farther out: beyond the pixels of any picture.
    private static let outermost: Float = 0x1p30

    /// Indices of all boxes.
    private var indices: [Int] = []
    private var cells: [Cell: [Int]] = [:]
    /// Sides of the cells that there are: powers of two.
    private var sides: Set<Float> = []

    /// Adds a box under an index, which is larger than those before.
    mutating func insert(_ box: Quad, as index: Int) {
        let bounds = box.bounds
        let size = max(bounds.right - bounds.left, bounds.bottom - bounds.top)
        // Others overlap nothing.
        guard size > 0, size.isFinite else { return }
        let side = 2 * size.binade
        let cell = Cell(side: side, column: Self.cell(of: bounds.left, side), row: Self.cell(of: bounds.top, side))
        self.indices.append(index)
        self.cells[cell, default: []].append(index)
        self.sides.insert(side)
    }

    /// Indices of all boxes that overlap a box, and of others near it, in ascending order.
    func neighbours(of box: Quad) -> [Int] {
        let bounds = box.bounds
        var found: [Int] = []
        for side in self.sides {
            let columns = Self.cells(from: bounds.left - side, to: bounds.right, side)
            let rows = Self.cells(from: bounds.top - side, to: bounds.bottom, side)
            guard columns.count * rows.count <= self.indices.count else { return self.indices }
            for column in columns {
                for row in rows { found += self.cells[Cell(side: side, column: column, row: row)] ?? [] }
            }
        }
        return found.sorted()
    }

    /// Cells of a row, or a column, from one position to another.
    private static func cells(from start: Float, to end: Float, _ side: Float) -> Range<Int> {
        let first = Self.cell(of: start, side)
        return first..<max(first, Self.cell(of: end, side) + 1)
    }

    /// Cell of a position, which may be anything that a peer sends.
    private static func cell(of position: Float, _ side: Float) -> Int {
        Int(max(-Self.outermost, min(Self.outermost, (position / side).rounded(.down))))
    }
}
