internal import TextModel
internal import TextRecognition

extension ChangeMap {
    private enum Tuning {
        /// Least area of a quad that counts as covering all cells it touches, as a share of them.
        ///
        /// Slanted lines cover only a part of their bounding boxes. Chosen by eye.
        static let minLevelShare: Float = 0.8
        /// Side of the blocks by which changed cells are grouped, in cells.
        ///
        /// The letters of a word come in one group. Chosen by eye.
        static let block = 4
    }

    /// Whether any cell that a quad covers has changed.
    func hasChanged(in quad: Quad) -> Bool { self.cell(in: quad, from: 0) { self.isChanged[$0] } != nil }

    /// Whether any cell that a quad covers has changed by more than the noise of calm frames, if by less than other text would.
    func hasFaintlyChanged(in quad: Quad) -> Bool { self.cell(in: quad, from: 0, where: self.exceedsFaint) != nil }

    /// Marks all cells that a quad covers as unchanged.
    mutating func clear(in quad: Quad) {
        var next = 0
        while let index = self.cell(in: quad, from: next, where: { self.isChanged[$0] }) {
            self.clear(index)
            next = index + 1
        }
    }

    /// Marks all cells that a quad covers as changed.
    mutating func mark(_ quad: Quad) {
        var next = 0
        while let index = self.cell(in: quad, from: next, where: { !self.isChanged[$0] }) {
            self.mark(index)
            next = index + 1
        }
    }

    /// Index of the first cell that a quad covers and that meets a condition, from `first` on.
    private func cell(in quad: Quad, from first: Int, where isWanted: (Int) -> Bool) -> Int? {
        let cells = self.cells(in: Box(around: quad, margin: 1))
        guard !cells.isEmpty else { return nil }
        let count = (cells.right - cells.left) * (cells.bottom - cells.top)
        let isLevel = quad.area > Tuning.minLevelShare * Float(count * Self.cell * Self.cell)
        for row in max(cells.top, first / self.columns)..<max(cells.top, cells.bottom, first / self.columns) {
            for column in cells.left..<cells.right {
                let index = row * self.columns + column
                guard index >= first, isWanted(index) else { continue }
                if isLevel { return index }
                let cell = Box(left: column, top: row, right: column + 1, bottom: row + 1).inPixels
                if quad.intersectionArea(with: Quad(cell)) > 0 { return index }
            }
        }
        return nil
    }

    /// Bounding boxes of groups of neighbouring changed cells, without single cells, which hold no letter.
    ///
    /// A group is a connected component of blocks of cells.
    func changedBoxes() -> [Box] {
        let side = Tuning.block
        let (across, down) = ((self.columns + side - 1) / side, (self.rows + side - 1) / side)
        var blocks = [Box?](repeating: nil, count: across * down)
        var counts = [Int](repeating: 0, count: across * down)
        for row in 0..<self.rows {
            for column in 0..<self.columns where self.isChanged[row * self.columns + column] {
                let block = row / side * across + column / side
                let cell = Box(left: column, top: row, right: column + 1, bottom: row + 1)
                blocks[block] = blocks[block]?.union(cell) ?? cell
                counts[block] += 1
            }
        }
        var boxes: [Box] = []
        var open: [Int] = []
        for start in blocks.indices {
            guard var group = blocks[start] else { continue }
            var count = 0
            open.append(start)
            blocks[start] = nil
            while let block = open.popLast() {
                count += counts[block]
                let (x, y) = (block % across, block / across)
                for near in max(0, y - 1)..<min(down, y + 2) {
                    for beside in max(0, x - 1)..<min(across, x + 2) {
                        guard let box = blocks[near * across + beside] else { continue }
                        group = group.union(box)
                        blocks[near * across + beside] = nil
                        open.append(near * across + beside)
                    }
                }
            }
            if count > 1 { boxes.append(group.inPixels) }
        }
        return boxes
    }

    /// Range of cells that a box in pixels touches.
    private func cells(in box: Box) -> Box {
        Box(
            left: max(0, box.left / Self.cell),
            top: max(0, box.top / Self.cell),
            right: min(self.columns, (box.right + Self.cell - 1) / Self.cell),
            bottom: min(self.rows, (box.bottom + Self.cell - 1) / Self.cell)
        )
    }
}

extension Box {
    /// Box in pixels of one in cells.
    fileprivate var inPixels: Box {
        let side = ChangeMap.cell
        return Box(left: self.left * side, top: self.top * side, right: self.right * side, bottom: self.bottom * side)
    }
}
