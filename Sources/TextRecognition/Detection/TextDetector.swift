internal import ImageCodecs
internal import TextModel

/// A place where the detector found a line of text, in upright pixels of the whole frame.
package struct DetectedLine: Sendable {
    package var rect: RotatedRect
    /// How sure the detector is, 0...1.
    package var score: Float

    package init(rect: RotatedRect, score: Float) {
        self.rect = rect
        self.score = score
    }

    /// How many times as long as high, whichever way it lies.
    var elongation: Float {
        max(self.rect.width, self.rect.height) / max(min(self.rect.width, self.rect.height), 1)
    }
}

/// How large a detection network sees a picture and how its answer is read.
struct DetectorSettings: Sendable {
    /// What counts as text in the network's map.
    var threshold: Float = 0.15
    /// The least mean of a component in the map.
    var minScore: Float = 0.5
    /// How far a box reaches beyond its shrunk kernel, as a multiple of area over perimeter.
    var unclipRatio: Float = 1.1
    /// The least short side of a component, in pixels of the map.
    var minSide: Float = 3
    /// What the size at which a picture is looked at, as the limits below give it, is multiplied by.
    var scale: Float = 1
    /// Pictures whose short side has fewer pixels are enlarged.
    var minShortSide = 640
    /// How much they are enlarged at most: letters that fill the network's view fall apart into several lines.
    var maxEnlargement: Float = 2
    /// Pictures whose long side has more pixels are reduced; of a strip so much counts as ``maxAspectRatio`` says.
    var maxLongSide = DetectionPlan.longestInput
    /// How many times its short side a picture's long side counts at most, when it is decided how far to reduce it.
    ///
    /// Long screenshots and tickers are many screens in a row, and their letters as small as those of one. Screens are up
    /// to 2.2 times as high as wide (phones, 2026), photographs and paper below 1.8.
    var maxAspectRatio: Float = 2
    /// Pixels of all inputs for one picture, as many as a frame of 8K has; larger ones are reduced to it.
    ///
    /// It bounds the time of a frame: 34 megapixels are 36 frames of 1280 x 720.
    var maxArea = 7680 * 4320
    /// Pixels that the lowest lines have where it is said how high they are.
    var leastLineHeight: Float = 20
    /// Pictures are reduced no further for that.
    var leastShortSide = 160
}

/// Finds lines of text at any angle with a differentiable-binarization network.
///
/// The network marks the shrunk core of each line; a core becomes a box by the smallest rectangle around it, grown. Liao et
/// al., Real-time Scene Text Detection with Differentiable Binarization (AAAI 2020), whose map is taken here at a lower
/// value, so that faint lines hold together, and grown by less than the core was shrunk in training.
package struct TextDetector: Sendable {
    private let model: any InferenceModel<Float>
    private let settings: DetectorSettings
    private let readers: ObjectPool<DBPostprocessor>
    /// For the maps of pictures that are looked at in pieces; detectors share them, since they may take tens of megabytes.
    private static let maps = ObjectPool { ProbabilityMaps() }

    init(model: any InferenceModel<Float>, settings: DetectorSettings) {
        self.model = model
        self.settings = settings
        self.readers = ObjectPool { DBPostprocessor(settings) }
    }

    /// The shapes of the network's inputs for pictures of `width` x `height` and for parts of them.
    package static func inputShapes(width: Int, height: Int, scale: Float) -> [InputShape] {
        let plan = DetectionPlan(width: width, height: height, settings: DetectorSettings(scale: scale))
        return plan.sheets.prefix(1).map(\.shape) + TileAtlas.partShapes
    }

    /// Finds the lines inside `region` of the upright picture.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - region: What is looked at as a whole, in upright pixels; it decides at which size.
    ///   - parts: The parts of the region to look at, each by itself; `nil` for all of it.
    ///   - leastHeight: The height of the lowest lines that are asked for, in upright pixels; 0 where that is not said.
    ///   - executor: Who else may look at some of it.
    /// - Returns: The lines in upright pixels of the whole picture.
    /// - Throws: ``RecognitionError`` when inference fails.
    func detect(
        in frame: UprightFrame,
        region: PixelRect,
        parts: [PixelRect]? = nil,
        leastHeight: Float = 0,
        with executor: any ParallelExecutor = InlineExecutor()
    ) throws(RecognitionError) -> [DetectedLine] {
        let plan = self.plan(for: region, leastHeight: leastHeight)
        guard let parts else {
            let whole = DetectionRegion(rect: region, size: (plan.width, plan.height))
            return try self.look(at: [whole], of: frame, on: plan.sheets, with: executor)
        }
        let pictures = parts.map { DetectionRegion(rect: $0, size: plan.size(ofPart: $0)) }
        return try self.look(at: pictures, of: frame, on: TileAtlas.showing(pictures.map(\.size)), with: executor)
    }

    /// What looking at `parts` of `region` costs, as a fraction of what all of it does.
    func cost(ofParts parts: [PixelRect], in region: PixelRect, leastHeight: Float = 0) -> Float {
        self.plan(for: region, leastHeight: leastHeight).cost(ofParts: parts)
    }

    /// At which size a region of `width` x `height` is scanned.
    func scale(width: Int, height: Int, leastHeight: Float) -> DetectionScale {
        DetectionPlan(width: width, height: height, leastHeight: leastHeight, settings: self.settings).detectionScale
    }

    private func plan(for region: PixelRect, leastHeight: Float) -> DetectionPlan {
        DetectionPlan(width: region.width, height: region.height, leastHeight: leastHeight, settings: self.settings)
    }
}

extension TextDetector {
    /// Runs the network for sheets on which pictures lie, and finds the lines of those.
    private func look(
        at pictures: [DetectionRegion],
        of frame: UprightFrame,
        on sheets: [TileAtlas],
        with executor: any ParallelExecutor
    ) throws(RecognitionError) -> [DetectedLine] {
        try Self.maps.withObject { (maps) throws(RecognitionError) in
            maps.makeRoom(for: pictures, on: sheets)
            let found = try executor.map(sheets) { (sheet) throws(RecognitionError) in
                try self.readers.withObject { (reader) throws(RecognitionError) in
                    try self.look(at: sheet, with: pictures, of: frame, by: reader, keeping: maps)
                }
            }
            let pieced = executor.map(maps.pictures) { picture in
                self.readers.withObject { reader in
                    reader.lines(in: maps.map(of: picture), stride: pictures[picture].size.width, of: pictures[picture])
                }
            }
            return (found + pieced).flatMap(\.self)
        }
    }

    /// Runs the network for a sheet, and finds the lines of the pictures that lie on it as a whole.
    private func look(
        at sheet: TileAtlas,
        with pictures: [DetectionRegion],
        of frame: UprightFrame,
        by reader: DBPostprocessor,
        keeping maps: ProbabilityMaps
    ) throws(RecognitionError) -> [DetectedLine] {
        let stride = sheet.shape.width
        let found = try self.model.infer(sheet.shape, count: 1) { _, tensor in
            reader.show(sheet, of: pictures, in: frame, on: tensor)
        } read: { (_, output) -> Result<[DetectedLine], RecognitionError> in
            guard let map = output.values.baseAddress, output.shape.suffix(2) == [sheet.shape.height, stride] else {
                return .failure(RecognitionError(unfit: output.shape, for: sheet.shape))
            }
            return .success(
                sheet.pieces.flatMap { piece -> [DetectedLine] in
                    let place = map + piece.slot.y * stride + piece.slot.x
                    guard !maps.keep(piece, of: place, stride: stride) else { return [] }
                    return reader.lines(in: place, stride: stride, of: pictures[piece.picture])
                }
            )
        }
        return try found.map { result throws(RecognitionError) in try result.get() }.flatMap(\.self)
    }
}

extension RecognitionError {
    /// The network did not answer with a number for each pixel.
    fileprivate init(unfit answer: [Int], for shape: InputShape) {
        self.init(.inferenceFailed, "The detector answered \(answer) for a picture of \(shape.width)x\(shape.height).")
    }
}
