/// A detection plan: the scale at which a region is scanned, and the network inputs that cover it.
///
/// The first stage of ``TextDetector``. It takes sizes in upright pixels and gives sizes in pixels of the probability map,
/// which are those of the scaled region.
struct DetectionPlan {
    /// Width of the scaled region, in pixels of its probability map.
    let width: Int
    /// Height of the scaled region, in pixels of its probability map.
    let height: Int
    /// Factor from upright pixels to pixels of the map.
    private let scale: Float
    /// The scale as a share of the one that a picture of usual size gets, at most 1.
    ///
    /// Less than 1 means that a limit of size reduced the picture, so that its smallest text is lost.
    let reduction: Float
    /// Margin of a picture that may be cut off closely; see ``DetectorSettings/closeMargin``.
    private let closeMargin: Int

    /// Factor by which the sides of an input divide: the network halves its input five times.
    private static let inputMultiple = 32
    /// Maximum side of an input, 62 times ``inputMultiple``.
    ///
    /// Not measured against other lengths.
    static let maxInputSide = 1984
    /// Short side of a map up to which a picture may be cut off closely around its text; chosen by hand.
    private static let maxCloseSide = 200
    /// Side of the tiles of a region that is too large for one input.
    ///
    /// Not measured against other lengths.
    private static let tileSide = 1024

    /// Plans the detection of a region of `width` x `height`.
    ///
    /// - Parameters:
    ///   - width: Width of the region, in upright pixels.
    ///   - height: Height of the region, in upright pixels.
    ///   - minTextHeight: Height of the lowest requested lines, in upright pixels; 0 where the request states none. A region
    ///     is reduced further than usual where only large text is requested, and less where small text is.
    ///   - settings: The limits of the scale.
    init(width: Int, height: Int, minTextHeight: Float = 0, settings: DetectorSettings) {
        let shortSide = Float(min(width, height))
        let longSide = Float(max(width, height))
        let enlargement = min(max(1, Float(settings.minShortSide) / shortSide), settings.maxEnlargement)
        // A strip is scanned at the scale of the screens that it is made of.
        let screenLongSide = min(longSide, settings.maxAspectRatio * shortSide)
        let areaLimit = (Float(settings.maxArea) / (shortSide * longSide)).squareRoot()
        let usualScale = settings.scale * min(enlargement, Float(settings.maxLongSide) / screenLongSide, areaLimit)
        if minTextHeight > 0 {
            // The lowest requested line gets its target height, but text is never enlarged beyond the usual.
            let wantedScale = min(settings.scale * enlargement, settings.targetLineHeight / minTextHeight)
            let minScale = min(usualScale, Float(settings.minReducedShortSide) / shortSide)
            self.scale = min(areaLimit, max(wantedScale, minScale))
            self.reduction = min(1, self.scale / min(wantedScale, settings.scale))
        } else {
            self.scale = usualScale
            self.reduction = min(1, usualScale / settings.scale)
        }
        self.width = Self.scaled(width, by: self.scale)
        self.height = Self.scaled(height, by: self.scale)
        self.closeMargin = settings.closeMargin
    }

    /// The scale as it is reported.
    var detectionScale: DetectionScale { DetectionScale(scale: self.scale, reduction: self.reduction) }

    /// Returns the size of a part's probability map, at the scale of the whole region.
    func mapSize(ofPart rect: PixelRect) -> (width: Int, height: Int) {
        (
            min(self.width, Self.scaled(rect.width, by: self.scale)),
            min(self.height, Self.scaled(rect.height, by: self.scale))
        )
    }

    /// The network inputs for the whole region: one of its size, or overlapping tiles where it is too large.
    var atlases: [TileAtlas] {
        func spans(_ length: Int) -> [TileSpan] {
            TileSpan.covering(length, maxLength: Self.maxInputSide, tileLength: Self.tileSide)
        }
        func inputSide(_ span: TileSpan, of length: Int, margin: Int) -> Int {
            span.length == length ? Self.roundedUp(length + 2 * margin) : span.length
        }
        let margin = (x: self.margin(beside: self.width), y: self.margin(beside: self.height))
        return spans(self.height).flatMap { rows in
            spans(self.width).map { columns in
                TileAtlas(
                    shape: InputShape(
                        height: inputSide(rows, of: self.height, margin: margin.y),
                        width: inputSide(columns, of: self.width, margin: margin.x)
                    ),
                    tile: TileAtlas.Tile(region: 0, columns: columns, rows: rows, margin: margin)
                )
            }
        }
    }

    /// Margin on both sides of a length of the map: that of pictures that may be cut off closely around their text.
    private func margin(beside length: Int) -> Int {
        let isClose = min(self.width, self.height) <= Self.maxCloseSide
        return isClose && length + 2 * self.closeMargin <= Self.maxInputSide ? self.closeMargin : 0
    }

    /// Returns the cost of scanning parts of the region, as a fraction of the cost of all of it.
    func relativeCost(ofParts rects: [PixelRect]) -> Float {
        let atlases = TileAtlas.packing(rects.map(self.mapSize(ofPart:)))
        return Float(TileAtlas.cost(of: atlases)) / Float(TileAtlas.cost(of: self.atlases))
    }

    private static func scaled(_ side: Int, by scale: Float) -> Int { max(1, Int((Float(side) * scale).rounded())) }

    private static func roundedUp(_ side: Int) -> Int {
        (side + Self.inputMultiple - 1) / Self.inputMultiple * Self.inputMultiple
    }
}

/// Scans for lines whose letters are larger than the network's receptive field.
extension DetectionPlan {
    private enum Tuning {
        /// Factors by which a scan for large lines is smaller, the least that one input for parts suffices for.
        ///
        /// Letters of all sizes lie in the receptive field of one of the two scans; none was measured against others.
        static let reductions: ClosedRange<Float> = 4...8
        /// Height from which a line counts as large, in pixels of the map.
        ///
        /// Of drawn words, both levels read those with capitals of up to 290 pixels of the map, and nothing or pieces of many higher
        /// ones (accuracy log, *Pictures that were drawn to fail*).
        static let minHeight: Float = 200
        /// Least side of a map that has room for lines that are not read, whose boxes are higher than their capitals.
        static let minSide = 350
    }

    /// Height of the lowest large line, in upright pixels.
    var minLargeHeight: Float { Tuning.minHeight / self.scale }

    /// The size of the map in which large lines are detected; `nil` where there is no room for one.
    ///
    /// It is that of a part of the region, so no networks are compiled for it.
    var largeLineMapSize: (width: Int, height: Int)? {
        guard min(self.width, self.height) >= Tuning.minSide else { return nil }
        let fitting = TileAtlas.reduction(of: (self.width, self.height))
        let factor = max(Tuning.reductions.lowerBound, min(Tuning.reductions.upperBound, fitting))
        return (Self.scaled(self.width, by: 1 / factor), Self.scaled(self.height, by: 1 / factor))
    }
}
