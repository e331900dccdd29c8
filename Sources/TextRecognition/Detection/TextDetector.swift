internal import ImageCodecs
internal import TextModel

/// A detector of text lines at any angle, with a differentiable-binarization (DB) network.
///
/// It takes a frame and a region of it in upright pixels, and gives lines in upright pixels of the whole frame. Its stages:
///
/// 1. ``DetectionPlan``: the scale at which the region is scanned.
/// 2. ``TileAtlas``: network inputs that hold the tiles of the scaled region, or of parts of it; ``AtlasRenderer`` fills them.
/// 3. ``InferenceModel``: the network, which gives a probability map of each input.
/// 4. ``ProbabilityMaps``: maps of regions that several tiles cover, stitched.
/// 5. ``DBPostprocessor``: binarization, connected components, boxes of the ``TextKernel`` of each line, unclipping.
///
/// The method is that of Liao et al., Real-time Scene Text Detection with Differentiable Binarization (AAAI 2020). The
/// threshold is lower here, so that faint lines hold together, and kernels grow by less than lines were shrunk in training.
package struct TextDetector: Sendable {
    private let model: any InferenceModel<Float>
    private let settings: DetectorSettings
    private let renderers = ObjectPool { AtlasRenderer() }
    private let postprocessors: ObjectPool<DBPostprocessor>
    /// Pooled buffers of stitched maps, four bytes for each scanned pixel; so all detectors share them.
    ///
    /// A picture of 33 megapixels that is scanned at its own scale for small letters has a map of 133 MB while it is read.
    private static let stitchedMaps = ObjectPool { ProbabilityMaps() }

    init(model: any InferenceModel<Float>, settings: DetectorSettings) {
        self.model = model
        self.settings = settings
        self.postprocessors = ObjectPool { DBPostprocessor(settings) }
    }

    /// Returns the shapes of the network's inputs for pictures of `width` x `height` and for parts of them.
    package static func inputShapes(width: Int, height: Int, scale: Float) -> [InputShape] {
        let plan = DetectionPlan(width: width, height: height, settings: DetectorSettings(scale: scale))
        let coarse = DetectionPlan(width: width, height: height, settings: DetectorSettings(scale: scale).coarse)
        return [plan, coarse].flatMap { $0.atlases.prefix(1).map(\.shape) } + TileAtlas.partShapes
    }

    /// Detects the lines inside a region of the upright frame.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - region: The region in upright pixels, whose size decides the scale.
    ///   - parts: The parts of the region to scan, each by itself; `nil` for all of it.
    ///   - minTextHeight: Height of the lowest requested lines, in upright pixels; 0 where the request states none.
    ///   - executor: The threads that help.
    /// - Returns: The lines in upright pixels of the whole frame.
    /// - Throws: ``RecognitionError`` when inference fails.
    func detect(
        in frame: UprightFrame,
        region: PixelRect,
        parts: [PixelRect]? = nil,
        minTextHeight: Float = 0,
        with executor: any ParallelExecutor = InlineExecutor()
    ) throws(RecognitionError) -> [DetectedLine] {
        let plan = self.plan(for: region, minTextHeight: minTextHeight)
        guard let parts else {
            let whole = DetectionRegion(rect: region, mapSize: (plan.width, plan.height))
            let lines = try self.scan([whole], of: frame, in: plan.atlases, with: executor)
            guard self.settings.scansForLargeLines, let mapSize = plan.largeLineMapSize else { return lines }
            let reduced = DetectionRegion(rect: region, mapSize: mapSize)
            let large = try self.scan([reduced], of: frame, in: TileAtlas.packing([mapSize]), with: executor)
            return lines.merged(with: large.filter { $0.letterHeight >= plan.minLargeHeight })
        }
        let regions = parts.map { DetectionRegion(rect: $0, mapSize: plan.mapSize(ofPart: $0)) }
        return try self.scan(regions, of: frame, in: TileAtlas.packing(regions.map(\.mapSize)), with: executor)
    }

    /// Returns the cost of scanning parts of a region, as a fraction of the cost of all of it.
    func cost(ofParts parts: [PixelRect], in region: PixelRect, minTextHeight: Float = 0) -> Float {
        self.plan(for: region, minTextHeight: minTextHeight).relativeCost(ofParts: parts)
    }

    /// Returns the scale at which a region of `width` x `height` is scanned.
    func scale(width: Int, height: Int, minTextHeight: Float) -> DetectionScale {
        DetectionPlan(width: width, height: height, minTextHeight: minTextHeight, settings: self.settings)
            .detectionScale
    }

    private func plan(for region: PixelRect, minTextHeight: Float) -> DetectionPlan {
        DetectionPlan(width: region.width, height: region.height, minTextHeight: minTextHeight, settings: self.settings)
    }
}

extension TextDetector {
    /// Scans the regions whose tiles are in `atlases`.
    private func scan(
        _ regions: [DetectionRegion],
        of frame: UprightFrame,
        in atlases: [TileAtlas],
        with executor: any ParallelExecutor
    ) throws(RecognitionError) -> [DetectedLine] {
        try Self.stitchedMaps.withObject { (maps) throws(RecognitionError) in
            maps.reserve(for: regions, in: atlases)
            defer { maps.release() }
            let untiled = try executor.map(atlases) { (atlas) throws(RecognitionError) in
                try self.scan(atlas, of: regions, in: frame, stitching: maps)
            }
            let tiled = executor.map(maps.regions) { region in
                maps.map(of: region).map { self.lines(in: $0, of: regions[region]) } ?? []
            }
            return (untiled + tiled).flatMap(\.self)
        }
    }

    /// Runs the network for an atlas, and postprocesses the maps of regions that a single tile covers.
    ///
    /// - Parameters:
    ///   - atlas: The atlas.
    ///   - regions: The regions whose tiles are in it.
    ///   - frame: The frame.
    ///   - maps: Receives the maps of tiles of other regions.
    /// - Returns: The lines of the regions that a single tile covers.
    /// - Throws: ``RecognitionError`` when inference fails.
    private func scan(
        _ atlas: TileAtlas,
        of regions: [DetectionRegion],
        in frame: UprightFrame,
        stitching maps: ProbabilityMaps
    ) throws(RecognitionError) -> [DetectedLine] {
        let stride = atlas.shape.width
        let outputs = try self.model.infer(atlas.shape, count: 1) { _, tensor in
            self.renderers.withObject { $0.render(atlas, of: regions, in: frame, into: tensor) }
        } read: { (_, output) -> Result<[DetectedLine], RecognitionError> in
            guard let base = output.values.baseAddress, output.shape.suffix(2) == [atlas.shape.height, stride] else {
                return .failure(RecognitionError(unfit: output.shape, for: atlas.shape))
            }
            let lines = atlas.tiles.flatMap { tile -> [DetectedLine] in
                let map = ProbabilityMap(
                    base: base + tile.content.y * stride + tile.content.x,
                    width: tile.columns.length,
                    height: tile.rows.length,
                    stride: stride
                )
                return maps.stitch(tile, from: map) ? [] : self.lines(in: map, of: regions[tile.region])
            }
            return .success(lines)
        }
        return try outputs.map { result throws(RecognitionError) in try result.get() }.flatMap(\.self)
    }

    private func lines(in map: ProbabilityMap, of region: DetectionRegion) -> [DetectedLine] {
        self.postprocessors.withObject { $0.lines(in: map, of: region) }
    }
}

extension RecognitionError {
    /// The error of a network whose output is not one probability for each pixel.
    fileprivate init(unfit output: [Int], for shape: InputShape) {
        self.init(.inferenceFailed, "The detector answered \(output) for a picture of \(shape.width)x\(shape.height).")
    }
}
