/// At which size a picture is looked at for text.
struct DetectionPlan {
    /// Of the resized picture.
    let width: Int
    /// Of the resized picture.
    let height: Int
    /// Of the network's input, which holds the resized picture at its top-left.
    let shape: InputShape
    /// How many times as large the resized picture is.
    private let scale: Float

    /// The network halves its input five times.
    private static let grain = 32
    /// Sides of inputs that hold parts of a picture are multiples of this: few shapes, of which each costs something at first.
    private static let partGrain = 64
    /// The least sides of such inputs.
    private static let leastPartSide = 128

    /// The plan for a picture of `width` x `height`.
    ///
    /// - Parameters:
    ///   - width: Of the picture.
    ///   - height: Of the picture.
    ///   - leastHeight: The height of the lowest lines that are asked for, in pixels of the picture; 0 where that is not said.
    ///     It decides how far a picture is reduced: further than others where only large text counts, less where small
    ///     text does.
    ///   - settings: The bounds of sizes.
    init(width: Int, height: Int, leastHeight: Float = 0, settings: DetectorSettings) {
        let short = Float(min(width, height))
        let long = Float(max(width, height))
        let whole = min(max(1, Float(settings.minShortSide) / short), settings.maxEnlargement)
        let usual = settings.scale * min(whole, Float(settings.maxLongSide) / long)
        if leastHeight > 0 {
            let wanted = min(settings.scale * whole, settings.leastLineHeight / leastHeight)
            self.scale = max(wanted, min(usual, Float(settings.leastShortSide) / short))
        } else {
            self.scale = usual
        }
        self.width = max(1, Int((Float(width) * self.scale).rounded()))
        self.height = max(1, Int((Float(height) * self.scale).rounded()))
        self.shape = InputShape(height: Self.rounded(self.height), width: Self.rounded(self.width))
    }

    private init(width: Int, height: Int, shape: InputShape, scale: Float) {
        self.width = width
        self.height = height
        self.shape = shape
        self.scale = scale
    }

    /// The plan for a part of the picture, looked at in the same size as all of it.
    func part(width: Int, height: Int) -> DetectionPlan {
        let width = min(self.width, max(1, Int((Float(width) * self.scale).rounded())))
        let height = min(self.height, max(1, Int((Float(height) * self.scale).rounded())))
        let shape = InputShape(
            height: min(self.shape.height, Self.partSide(height)),
            width: min(self.shape.width, Self.partSide(width))
        )
        return DetectionPlan(width: width, height: height, shape: shape, scale: self.scale)
    }

    /// Bytes of the network's input that a look at such a part takes, as a fraction of those for the whole picture.
    func cost(width: Int, height: Int) -> Float {
        Float(self.part(width: width, height: height).shape.byteCount) / Float(self.shape.byteCount)
    }

    /// The tiles in which it is looked at; one, where an input of its size can be had.
    var tiles: [DetectionTile] {
        let columns = DetectionTile.spans(of: self.width)
        return DetectionTile.spans(of: self.height).flatMap { row in
            columns.map { DetectionTile(columns: $0, rows: row) }
        }
    }

    /// What a tile shows, in the pixels of the picture of which `region` is looked at.
    func rect(of tile: DetectionTile, in region: PixelRect) -> PixelRect {
        func span(_ span: DetectionTile.Span, _ origin: Int, _ length: Int) -> (start: Int, length: Int) {
            let start = min(length - 1, Int((Float(span.start) / self.scale).rounded()))
            let end = min(length, max(start + 1, Int((Float(span.start + span.length) / self.scale).rounded())))
            return (origin + start, end - start)
        }
        let columns = span(tile.columns, region.x, region.width)
        let rows = span(tile.rows, region.y, region.height)
        return PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }

    private static func partSide(_ side: Int) -> Int {
        max(Self.leastPartSide, (side + Self.partGrain - 1) / Self.partGrain * Self.partGrain)
    }

    private static func rounded(_ side: Int) -> Int { (side + Self.grain - 1) / Self.grain * Self.grain }
}
