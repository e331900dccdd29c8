/// Where ink lies in a straightened line, in its pixels.
struct BoundingBox {
    var x0: Float
    var y0: Float
    var x1: Float
    var y1: Float

    init(x0: Float, y0: Float, x1: Float, y1: Float) {
        self.x0 = x0
        self.y0 = y0
        self.x1 = x1
        self.y1 = y1
    }

    /// The middle between left and right.
    var centreX: Float { (self.x0 + self.x1) / 2 }

    /// The least box around `boxes`; `nil` around none.
    init?(around boxes: some Collection<BoundingBox>) {
        guard let first = boxes.first else { return nil }
        self = boxes.dropFirst().reduce(first) { $0.union($1) }
    }

    /// The least box around what of some ink lies in some columns; `nil` where none does.
    init?(around runs: some Sequence<ComponentLabeler.Run>, in columns: Range<Int32>) {
        var box: BoundingBox?
        for run in runs {
            let (start, end) = (max(run.first, columns.lowerBound), min(run.end, columns.upperBound))
            guard start < end else { continue }
            let piece = BoundingBox(x0: Float(start), y0: Float(run.row), x1: Float(end), y1: Float(run.row + 1))
            box = box?.union(piece) ?? piece
        }
        guard let box else { return nil }
        self = box
    }

    /// Boxes lower than this share of the highest are dots and dashes.
    private static let leastLetter: Float = 0.3

    /// How high most of a line's letters are at most: the third quartile, and 1 or more.
    ///
    /// Dots say nothing of it, of which a table of contents has more than letters.
    static func typicalHeight(of boxes: [BoundingBox]) -> Float {
        let heights = boxes.map { $0.y1 - $0.y0 }.sorted()
        guard let highest = heights.last else { return 1 }
        let letters = heights.drop { $0 < Self.leastLetter * highest }
        return max(1, letters[letters.startIndex + letters.count * 3 / 4])
    }

    /// The least box around both.
    func union(_ other: BoundingBox) -> BoundingBox {
        BoundingBox(
            x0: min(self.x0, other.x0),
            y0: min(self.y0, other.y0),
            x1: max(self.x1, other.x1),
            y1: max(self.y1, other.y1)
        )
    }
}
