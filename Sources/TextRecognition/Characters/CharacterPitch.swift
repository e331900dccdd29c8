/// The grid on which the characters of a monospaced line stand, as on typewriters and screens.
struct CharacterPitch {
    /// The cell of each character, counted from the first one's.
    private let cells: [Int]

    /// Fewer characters show no pitch: of those that are known, and of ink alone.
    private static let leastCount = (known: 6, ink: 9)
    /// How far characters stand from the middles of their cells on average at most, in cells.
    ///
    /// Rendered in 30 monospaced faces, 95 % of the lines stay below 0.05, and of lines in proportional faces that keep to a
    /// grid as well as ``unclipDistance`` and ``share`` ask, 80 % stay above 0.06.
    private static let meanDistance: Float = 0.055
    /// How far a character may stand from the middle of its cell, and what share of them must not stand further.
    private static let unclipDistance: (distance: Float, share: Float) = (0.2, 0.9)
    /// The least room before a character behind a free cell, in cells.
    private static let freeRoom: Float = 0.7
    /// Narrow characters at least, such as i and the point, that show by their cells that all are as wide.
    private static let leastNarrow = 2
    /// Rounds in which cells and pitch are fitted to each other.
    private static let rounds = 3

    /// The grid of a line; `nil` where its characters have cells of different widths.
    ///
    /// - Parameters:
    ///   - boxes: Of its characters, from left to right.
    ///   - characters: What they say. In proportional type too digits and capitals are nearly as wide as each other, so some
    ///     must be narrow by nature.
    init?(_ boxes: [BoundingBox], characters: [String]) {
        guard characters.count(where: AdvanceWidth.isNarrow) >= Self.leastNarrow else { return nil }
        self.init(boxes, least: Self.leastCount.known)
    }

    /// The grid of a line; `nil` where its characters have cells of different widths.
    ///
    /// - Parameter boxes: Of its characters, from left to right.
    init?(_ boxes: [BoundingBox]) { self.init(boxes, least: Self.leastCount.ink) }

    private init?(_ boxes: [BoundingBox], least: Int) {
        guard boxes.count >= least else { return nil }
        let centres = boxes.map(\.centreX)
        let steps = zip(centres, centres.dropFirst()).map { $1 - $0 }
        var fit = (start: centres[0], pitch: steps.sorted()[steps.count / 2])
        var cells: [Int] = []
        for _ in 0..<Self.rounds {
            guard fit.pitch > 0 else { return nil }
            cells = steps.reduce(into: [0]) { cells, step in
                cells.append(cells[cells.count - 1] + max(0, Int((step / fit.pitch).rounded())))
            }
            guard let next = Self.line(through: centres, at: cells) else { return nil }
            fit = next
        }
        guard fit.pitch > 0 else { return nil }
        let distances = zip(centres, cells).map { abs($0 - fit.start - Float($1) * fit.pitch) / fit.pitch }
        let near = distances.count { $0 <= Self.unclipDistance.distance }
        guard Float(near) >= Self.unclipDistance.share * Float(distances.count),
            distances.reduce(0, +) <= Self.meanDistance * Float(distances.count)
        else { return nil }
        let isFree = zip(zip(boxes, boxes.dropFirst()), zip(cells, cells.dropFirst())).allSatisfy { boxes, cells in
            cells.1 - cells.0 <= 1 || boxes.1.x0 - boxes.0.x1 >= Self.freeRoom * fit.pitch
        }
        guard isFree else { return nil }
        self.cells = cells
    }

    /// Whether a character stands in the cell right behind that of the one before it.
    func isAdjacent(_ index: Int) -> Bool { self.cells[index] - self.cells[index - 1] <= 1 }

    /// The straight line with the least squares of the distances; `nil` where all cells are one.
    private static func line(through centres: [Float], at cells: [Int]) -> (start: Float, pitch: Float)? {
        let count = Float(cells.count)
        let meanCell = Float(cells.reduce(0, +)) / count
        let meanCentre = centres.reduce(0, +) / count
        var (products, squares): (Float, Float) = (0, 0)
        for (cell, centre) in zip(cells, centres) {
            let offset = Float(cell) - meanCell
            products += offset * (centre - meanCentre)
            squares += offset * offset
        }
        guard squares > 0 else { return nil }
        return (meanCentre - products / squares * meanCell, products / squares)
    }
}
