internal import TextModel
internal import TextRecognition

/// A rectangle of sent pixels.
struct Box: Equatable {
    var left: Int, top: Int, right: Int, bottom: Int

    /// What lies around a quad, `margin` pixels farther out.
    init(around quad: Quad, margin: Int) {
        let bounds = quad.bounds
        self.left = Self.whole(bounds.left) - margin
        self.top = Self.whole(bounds.top) - margin
        self.right = Self.whole(bounds.right) + 1 + margin
        self.bottom = Self.whole(bounds.bottom) + 1 + margin
    }

    init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    var isEmpty: Bool { self.left >= self.right || self.top >= self.bottom }

    /// The box with its sides `margin` pixels farther out.
    func expanded(by margin: Int) -> Box {
        Box(left: self.left - margin, top: self.top - margin, right: self.right + margin, bottom: self.bottom + margin)
    }

    /// What looking at it costs, roughly: pixels, with those that part it from others.
    var cost: Int { (self.right - self.left + Self.gap) * (self.bottom - self.top + Self.gap) }

    private static let gap = 16

    func union(_ other: Box) -> Box {
        Box(
            left: min(self.left, other.left),
            top: min(self.top, other.top),
            right: max(self.right, other.right),
            bottom: max(self.bottom, other.bottom)
        )
    }

    func clipped(to other: Box) -> Box {
        Box(
            left: max(self.left, other.left),
            top: max(self.top, other.top),
            right: min(self.right, other.right),
            bottom: min(self.bottom, other.bottom)
        )
    }

    func contains(_ other: Box) -> Bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }

    func contains(_ point: Point) -> Bool {
        point.x >= Float(self.left) && point.x < Float(self.right) && point.y >= Float(self.top)
            && point.y < Float(self.bottom)
    }

    func touches(_ other: Box) -> Bool {
        self.left <= other.right && other.left <= self.right && self.top <= other.bottom && other.top <= self.bottom
    }

    /// Whether a line that was found in the box goes on beyond it, or ends just there, on both of its long sides, at two edges
    /// where `region` does not end.
    func cutsAcross(_ line: Quad, in region: Box) -> Bool {
        let line = line.lying
        let upper = self.edges(near: line.topLeft.towards(line.topRight, 0.5), in: region)
        let lower = self.edges(near: line.bottomLeft.towards(line.bottomRight, 0.5), in: region)
        return upper.contains { edge in lower.contains { $0 != edge } }
    }

    /// Which edges, from the left one clockwise, a point lies at or beyond, but for those of `region`.
    private func edges(near point: Point, in region: Box) -> [Int] {
        let isNear = [
            self.left > region.left && point.x < Float(self.left + Self.nearEdge),
            self.top > region.top && point.y < Float(self.top + Self.nearEdge),
            self.right < region.right && point.x > Float(self.right - Self.nearEdge),
            self.bottom < region.bottom && point.y > Float(self.bottom - Self.nearEdge),
        ]
        return isNear.indices.filter { isNear[$0] }
    }

    /// How near to an edge of a box a line ends that may go on beyond it, in pixels.
    private static let nearEdge = 4

    /// A coordinate that is a number and far from overflow, whatever a degenerate quad holds.
    private static func whole(_ value: Float) -> Int { value.isFinite ? Int(max(-1e6, min(1e6, value))) : 0 }
}

extension Quad {
    /// The corners of a box.
    init(_ box: Box) {
        let (left, top, right, bottom) = (Float(box.left), Float(box.top), Float(box.right), Float(box.bottom))
        self.init(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }
}

extension ChangeMap {
    /// Whether any cell that a quad covers has changed.
    func hasChanged(in quad: Quad) -> Bool { self.changedCell(in: quad, from: 0) != nil }

    /// Says that no cell that a quad covers has changed.
    mutating func clear(in quad: Quad) {
        var next = 0
        while let index = self.changedCell(in: quad, from: next) {
            self.clear(index)
            next = index + 1
        }
    }

    /// The first changed cell that a quad covers, of those from `first` on.
    private func changedCell(in quad: Quad, from first: Int) -> Int? {
        let cells = self.cells(in: Box(around: quad, margin: 1))
        guard !cells.isEmpty else { return nil }
        // Slanted lines cover a part of their bounds only.
        let isLevel =
            quad.area > 0.8 * Float((cells.right - cells.left) * (cells.bottom - cells.top) * Self.cell * Self.cell)
        for row in max(cells.top, first / self.columns)..<max(cells.top, cells.bottom, first / self.columns) {
            for column in cells.left..<cells.right {
                let index = row * self.columns + column
                guard index >= first, self.isChanged[index] else { continue }
                if isLevel { return index }
                let cell = Box(left: column, top: row, right: column + 1, bottom: row + 1).inPixels
                if quad.sharedArea(with: Quad(cell)) > 0 { return index }
            }
        }
        return nil
    }

    /// The boxes around groups of neighbouring changed cells; single cells, which hold no letter, are left out.
    ///
    /// Groups are those of blocks of 4 x 4 cells, so that the letters of a word come in one.
    func changedBoxes() -> [Box] {
        let (across, down) = ((self.columns + 3) / 4, (self.rows + 3) / 4)
        var blocks = [Box?](repeating: nil, count: across * down)
        var counts = [Int](repeating: 0, count: across * down)
        for row in 0..<self.rows {
            for column in 0..<self.columns where self.isChanged[row * self.columns + column] {
                let block = row / 4 * across + column / 4
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
    /// From cells to pixels.
    fileprivate var inPixels: Box {
        let side = ChangeMap.cell
        return Box(left: self.left * side, top: self.top * side, right: self.right * side, bottom: self.bottom * side)
    }
}

extension [Box] {
    /// Joins boxes that are hardly dearer to look at together than one by one; drops empty ones.
    mutating func merge() {
        self.removeAll(where: \.isEmpty)
        // Noise all over the frame is looked at as a whole; what it takes to find that out must not grow with its square.
        while self.count > Self.most { self[0] = self[0].union(self.removeLast()) }
        var index = 0
        while index < self.count {
            let other = self.indices.first { other in
                guard other != index else { return false }
                return Float(self[index].union(self[other]).cost)
                    <= Self.reserve * Float(self[index].cost + self[other].cost)
            }
            if let other {
                self[index] = self[index].union(self[other])
                self.remove(at: other)
                index = 0
            } else {
                index += 1
            }
        }
    }

    private static var most: Int { 32 }

    /// What it may cost more to see lines as a whole that would be cut between two boxes.
    private static var reserve: Float { 1.1 }
}
