/// At which size a picture is looked at for text.
struct DetectionPlan {
    /// Of the resized picture.
    let width: Int
    /// Of the resized picture.
    let height: Int
    /// How many times as large the resized picture is.
    private let scale: Float
    /// The scale as a share of the one at which a picture of usual size is scanned: 1, or less where the limits of size
    /// reduce the picture and so lose its smallest text.
    let reduction: Float

    /// The network halves its input five times.
    private static let grain = 32
    /// No input has a longer side.
    static let longestInput = 1984
    /// The sides of inputs for a picture that is too large for a single one.
    private static let tileLength = 1024

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
        // A strip is as closely scanned as one of the screens that it is made of.
        let screen = min(long, settings.maxAspectRatio * short)
        let areaLimit = (Float(settings.maxArea) / (short * long)).squareRoot()
        let usual = settings.scale * min(whole, Float(settings.maxLongSide) / screen, areaLimit)
        if leastHeight > 0 {
            let wanted = min(settings.scale * whole, settings.leastLineHeight / leastHeight)
            self.scale = min(areaLimit, max(wanted, min(usual, Float(settings.leastShortSide) / short)))
            self.reduction = min(1, self.scale / min(wanted, settings.scale))
        } else {
            self.scale = usual
            self.reduction = min(1, usual / settings.scale)
        }
        self.width = Self.resized(width, self.scale)
        self.height = Self.resized(height, self.scale)
    }

    /// How the picture is reduced or enlarged.
    var detectionScale: DetectionScale { DetectionScale(scale: self.scale, reduction: self.reduction) }

    /// The size in which a part of the picture is looked at: as large as it is in all of it.
    func size(ofPart rect: PixelRect) -> (width: Int, height: Int) {
        (
            min(self.width, Self.resized(rect.width, self.scale)),
            min(self.height, Self.resized(rect.height, self.scale))
        )
    }

    /// The inputs that show all of the picture: one of its own size, or tiles where that is too large.
    var sheets: [TileAtlas] {
        func spans(_ total: Int) -> [TileSpan] {
            TileSpan.covering(total, most: Self.longestInput, length: Self.tileLength)
        }
        func side(_ span: TileSpan, _ total: Int) -> Int {
            span.length == total ? Self.rounded(total) : span.length
        }
        return spans(self.height).flatMap { rows in
            spans(self.width).map { columns in
                TileAtlas(
                    shape: InputShape(height: side(rows, self.height), width: side(columns, self.width)),
                    showing: TileAtlas.Piece(picture: 0, columns: columns, rows: rows)
                )
            }
        }
    }

    /// What looking at parts of the picture costs, as a fraction of what all of it does.
    func cost(ofParts rects: [PixelRect]) -> Float {
        let sheets = TileAtlas.showing(rects.map(self.size(ofPart:)))
        return Float(TileAtlas.cost(of: sheets)) / Float(TileAtlas.cost(of: self.sheets))
    }

    private static func resized(_ side: Int, _ scale: Float) -> Int { max(1, Int((Float(side) * scale).rounded())) }

    private static func rounded(_ side: Int) -> Int { (side + Self.grain - 1) / Self.grain * Self.grain }
}
