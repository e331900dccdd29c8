internal import TextModel

/// Character pitch: the grid of cells of a monospaced line, as of typewriters and screens.
struct CharacterPitch {
    /// Cell of each character, counted from the first one's.
    private let cells: [Int]

    /// Found on lines rendered in 112 typefaces, 30 of them monospaced.
    ///
    /// 60 → 17 wrong of 14,000 gaps in monospaced lines (accuracy log, *Look-alike characters*).
    private enum Tuning {
        /// Least characters that show a pitch where their texts are known; not measured alone.
        static let minRecognized = 6
        /// Least characters that show a pitch by their boxes alone; not measured alone.
        static let minBoxes = 9
        /// Largest mean distance of characters from the centres of their cells, in cells.
        ///
        /// 95 % of the monospaced lines stay below 0.05; of proportional lines that fit a grid otherwise, 80 % exceed 0.06.
        static let maxMeanDistance: Float = 0.055
        /// Distance from the centre of its cell within which a character is on the grid.
        static let tolerance: Float = 0.2
        /// Least share of characters on the grid.
        static let minShare: Float = 0.9
        /// Least gap before a character behind a free cell, in cells; not measured alone.
        static let minFreeGap: Float = 0.7
        /// Least narrow characters, such as i and the full stop, that show cells of equal width.
        ///
        /// Without them, DAVE JONES is on a grid by chance.
        static let minNarrow = 2
        /// Cells from one character to the next, fewer than a line has pixels, so that sums are far from overflow.
        static let steps = 0...100_000
        /// Rounds in which cells and pitch are fitted to each other; not measured.
        static let rounds = 3
    }

    /// Fits the grid of a recognized line; `nil` for proportional type.
    ///
    /// - Parameters:
    ///   - boxes: The boxes of its characters, from left to right.
    ///   - characters: Their texts. Digits and capitals are nearly equally wide in proportional type too, so some characters
    ///     must be narrow by nature.
    init?(_ boxes: [BoundingBox], characters: [String]) {
        guard characters.count(where: AdvanceWidth.isNarrow) >= Tuning.minNarrow else { return nil }
        self.init(boxes, minCount: Tuning.minRecognized)
    }

    /// Fits the grid of a line that was not recognized; `nil` for proportional type.
    ///
    /// - Parameter boxes: The boxes of its characters, from left to right.
    init?(_ boxes: [BoundingBox]) { self.init(boxes, minCount: Tuning.minBoxes) }

    private init?(_ boxes: [BoundingBox], minCount: Int) {
        guard boxes.count >= minCount else { return nil }
        let centres = boxes.map(\.centreX)
        let steps = zip(centres, centres.dropFirst()).map { $1 - $0 }
        var fit = (start: centres[0], pitch: steps.sorted()[steps.count / 2])
        var cells: [Int] = []
        // Alternates between assigning characters to cells and fitting the pitch to them.
        for _ in 0..<Tuning.rounds {
            guard fit.pitch > 0 else { return nil }
            cells = steps.reduce(into: [0]) { cells, step in
                cells.append(cells[cells.count - 1] + Int(clamping: (step / fit.pitch).rounded(), to: Tuning.steps))
            }
            guard let next = Self.line(through: centres, at: cells) else { return nil }
            fit = next
        }
        guard fit.pitch > 0 else { return nil }
        let distances = zip(centres, cells).map { abs($0 - fit.start - Float($1) * fit.pitch) / fit.pitch }
        let near = distances.count { $0 <= Tuning.tolerance }
        guard Float(near) >= Tuning.minShare * Float(distances.count),
            distances.reduce(0, +) <= Tuning.maxMeanDistance * Float(distances.count)
        else { return nil }
        let isFree = zip(zip(boxes, boxes.dropFirst()), zip(cells, cells.dropFirst())).allSatisfy { boxes, cells in
            cells.1 - cells.0 <= 1 || boxes.1.x0 - boxes.0.x1 >= Tuning.minFreeGap * fit.pitch
        }
        guard isFree else { return nil }
        self.cells = cells
    }

    /// Whether no free cell lies before a character.
    func isAdjacent(_ index: Int) -> Bool { self.cells[index] - self.cells[index - 1] <= 1 }

    /// Returns the least-squares line through the centres; `nil` where all cells are one.
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
