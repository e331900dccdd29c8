/// Axis-aligned bounding box in pixels of a rectified line.
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

    /// Width in columns.
    var width: Float { self.x1 - self.x0 }
    /// Height in rows.
    var height: Float { self.y1 - self.y0 }
    /// Column halfway between left and right.
    var centreX: Float { (self.x0 + self.x1) / 2 }

    /// Creates the bounding box of boxes; `nil` without any.
    init?(around boxes: some Collection<BoundingBox>) {
        guard let first = boxes.first else { return nil }
        self = boxes.dropFirst().reduce(first) { $0.union($1) }
    }

    /// Creates the bounding box of runs within a range of columns; `nil` if no run reaches into it.
    init?(around runs: some Sequence<ComponentLabeler.Run>, in columns: Range<Int32>) {
        var bounds: BoundingBox?
        for run in runs {
            let (start, end) = (max(run.first, columns.lowerBound), min(run.end, columns.upperBound))
            guard start < end else { continue }
            let box = BoundingBox(x0: Float(start), y0: Float(run.row), x1: Float(end), y1: Float(run.row + 1))
            bounds = bounds?.union(box) ?? box
        }
        guard let bounds else { return nil }
        self = bounds
    }

    /// Maximum height of dots and dashes, as a share of the tallest box; not measured.
    private static let maxPunctuationHeight: Float = 0.3

    /// Returns the typical height of a line's characters: the third quartile, and 1 or more.
    ///
    /// Dots and dashes are left out: a table of contents has more of them than letters.
    static func typicalHeight(of boxes: [BoundingBox]) -> Float {
        let heights = boxes.map(\.height).sorted()
        guard let tallest = heights.last else { return 1 }
        let characters = heights.drop { $0 < Self.maxPunctuationHeight * tallest }
        return max(1, characters[characters.startIndex + characters.count * 3 / 4])
    }

    /// Returns the box with a margin on all sides.
    func expanded(by margin: Float) -> BoundingBox {
        BoundingBox(x0: self.x0 - margin, y0: self.y0 - margin, x1: self.x1 + margin, y1: self.y1 + margin)
    }

    /// Returns the bounding box of both boxes.
    func union(_ other: BoundingBox) -> BoundingBox {
        BoundingBox(
            x0: min(self.x0, other.x0),
            y0: min(self.y0, other.y0),
            x1: max(self.x1, other.x1),
            y1: max(self.y1, other.y1)
        )
    }
}
