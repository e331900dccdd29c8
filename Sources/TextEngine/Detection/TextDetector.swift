internal import FrameCodecs
internal import GlyphwireProtocol

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
    var threshold: Float = 0.3
    /// The least mean of a component in the map.
    var minScore: Float = 0.5
    /// How far a box reaches beyond its shrunk kernel, as a multiple of area over perimeter.
    var unclipRatio: Float = 1.6
    /// The least short side of a component, in pixels of the map.
    var minSide: Float = 3
    /// What the size at which a picture is looked at, as the limits below give it, is multiplied by.
    var scale: Float = 1
    /// Pictures whose short side has fewer pixels are enlarged.
    var minShortSide = 640
    /// How much they are enlarged at most: letters that fill the network's view fall apart into several lines.
    var maxEnlargement: Float = 2
    /// Pictures whose long side has more pixels are reduced.
    var maxLongSide = DetectionTile.mostLength
    /// Pixels that the lowest lines have where it is said how high they are.
    var leastLineHeight: Float = 20
    /// Pictures are reduced no further for that.
    var leastShortSide = 160
}

/// Finds lines of text at any angle with a differentiable-binarization network.
///
/// The network marks the shrunk core of each line; a core becomes a box by the smallest rectangle around it, grown by the
/// distance that it was shrunk in training. Liao et al., Real-time Scene Text Detection with Differentiable Binarization
/// (AAAI 2020).
package final class TextDetector {
    private let model: any InferenceModel<Float>
    private let partModel: any InferenceModel<Float>
    private let settings: DetectorSettings
    private var resizer = TensorResizer()
    private var labeler = ComponentLabeler()
    private var extents: [(first: Int32, end: Int32)] = []
    /// The map of a picture that is looked at in tiles.
    private var map = ScratchBuffer<Float>()

    init(model: any InferenceModel<Float>, partModel: (any InferenceModel<Float>)? = nil, settings: DetectorSettings) {
        self.model = model
        self.partModel = partModel ?? model
        self.settings = settings
    }

    /// The shape of the network's input for a picture of `width` x `height`.
    package static func inputShape(width: Int, height: Int, scale: Float) -> InputShape {
        DetectionPlan(width: width, height: height, settings: DetectorSettings(scale: scale)).shape
    }

    /// Finds the lines inside `region` of the upright picture.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - region: What is looked at as a whole, in upright pixels; it decides at which size.
    ///   - part: The part of the region to look at; `nil` for all of it.
    ///   - leastHeight: The height of the lowest lines that are asked for, in upright pixels; 0 where that is not said.
    /// - Returns: The lines in upright pixels of the whole picture.
    /// - Throws: ``WireError`` when inference fails.
    func detect(
        in frame: UprightFrame,
        region: PixelRect,
        part: PixelRect? = nil,
        leastHeight: Float = 0
    ) throws(WireError) -> [DetectedLine] {
        let plan = self.plan(for: region, leastHeight: leastHeight)
        guard let part else { return try self.detect(in: frame, region: region, plan: plan, model: self.model) }
        let partPlan = plan.part(width: part.width, height: part.height)
        return try self.detect(in: frame, region: part, plan: partPlan, model: self.partModel)
    }

    /// What looking at `part` of `region` costs, as a fraction of what all of it does.
    func cost(of part: PixelRect, in region: PixelRect, leastHeight: Float = 0) -> Float {
        self.plan(for: region, leastHeight: leastHeight).cost(width: part.width, height: part.height)
    }

    private func plan(for region: PixelRect, leastHeight: Float) -> DetectionPlan {
        DetectionPlan(width: region.width, height: region.height, leastHeight: leastHeight, settings: self.settings)
    }

    private func detect(
        in frame: UprightFrame,
        region: PixelRect,
        plan: DetectionPlan,
        model: some InferenceModel<Float>
    ) throws(WireError) -> [DetectedLine] {
        let tiles = plan.tiles
        if tiles.count > 1 { return try self.detect(in: frame, region: region, plan: plan, tiles, model: model) }
        return try self.look(at: region, of: frame, (plan.width, plan.height), plan.shape, model) { map in
            self.lines(in: map, stride: plan.shape.width, plan: plan, region: region)
        } ?? []
    }

    /// Runs the network for a part of the frame, resized.
    ///
    /// - Parameters:
    ///   - rect: The part, in upright pixels.
    ///   - frame: The frame.
    ///   - size: What the part is resized to.
    ///   - shape: Of the input, which holds it at its top-left.
    ///   - model: The network.
    ///   - read: Takes what it needs of the map.
    /// - Returns: What `read` returned; `nil` of a network that answers with no numbers.
    /// - Throws: ``WireError`` when inference fails.
    private func look<Value>(
        at rect: PixelRect,
        of frame: UprightFrame,
        _ size: (width: Int, height: Int),
        _ shape: InputShape,
        _ model: some InferenceModel<Float>,
        read: (UnsafePointer<Float>) -> Value
    ) throws(WireError) -> Value? {
        try model.infer(shape, count: 1) { _, tensor in
            self.resizer.resize(
                frame.view,
                rect: frame.sent(rect),
                orientation: frame.orientation,
                to: size,
                shape: shape,
                into: tensor
            )
        } read: { _, output in
            output.values.baseAddress.map(read)
        }.first ?? nil
    }

    /// Looks at tile after tile, and finds the lines in the map that they make together.
    private func detect(
        in frame: UprightFrame,
        region: PixelRect,
        plan: DetectionPlan,
        _ tiles: [DetectionTile],
        model: some InferenceModel<Float>
    ) throws(WireError) -> [DetectedLine] {
        self.map.reserve(plan.width * plan.height)
        let map = self.map.base
        for tile in tiles {
            let shape = InputShape(
                height: tile.rows.length == plan.height ? plan.shape.height : tile.rows.length,
                width: tile.columns.length == plan.width ? plan.shape.width : tile.columns.length
            )
            let size = (tile.columns.length, tile.rows.length)
            _ = try self.look(at: plan.rect(of: tile, in: region), of: frame, size, shape, model) { values in
                for row in tile.rows.kept {
                    let from = (row - tile.rows.start) * shape.width + tile.columns.kept.lowerBound - tile.columns.start
                    (map + row * plan.width + tile.columns.kept.lowerBound)
                        .update(from: values + from, count: tile.columns.kept.count)
                }
            }
        }
        return self.lines(in: map, stride: plan.width, plan: plan, region: region)
    }

    private func lines(
        in map: UnsafePointer<Float>,
        stride: Int,
        plan: DetectionPlan,
        region: PixelRect
    ) -> [DetectedLine] {
        self.labeler.label(
            map,
            width: plan.width,
            height: plan.height,
            stride: stride,
            above: self.settings.threshold
        )
        let scaleX = Float(region.width) / Float(plan.width)
        let scaleY = Float(region.height) / Float(plan.height)
        var lines: [DetectedLine] = []
        for component in 0..<self.labeler.componentCount {
            let runs = self.labeler.runs(of: component)
            guard let rect = self.core(of: runs) else { continue }
            guard min(rect.width, rect.height) >= self.settings.minSide else { continue }
            let score = Self.mean(of: runs, in: map, stride: stride)
            guard score >= self.settings.minScore else { continue }
            let distance = rect.width * rect.height * self.settings.unclipRatio / (2 * (rect.width + rect.height))
            lines.append(
                DetectedLine(
                    rect: rect.expanded(by: distance).scaled(x: scaleX, y: scaleY, from: region),
                    score: score
                )
            )
        }
        return lines
    }

    /// The smallest rectangle around a component.
    private func core(of runs: UnsafeBufferPointer<ComponentLabeler.Run>) -> RotatedRect? {
        guard let first = runs.first, let last = runs.last else { return nil }
        let top = Int(first.row)
        self.extents.removeAll(keepingCapacity: true)
        self.extents.append(contentsOf: repeatElement((first: .max, end: 0), count: Int(last.row) - top + 1))
        for run in runs {
            let row = Int(run.row) - top
            self.extents[row].first = min(self.extents[row].first, run.first)
            self.extents[row].end = max(self.extents[row].end, run.end)
        }
        return RotatedRect(enclosing: ConvexHull.around(top: top, extents: self.extents))?.levelled
    }

    private static func mean(
        of runs: UnsafeBufferPointer<ComponentLabeler.Run>,
        in map: UnsafePointer<Float>,
        stride: Int
    ) -> Float {
        var sum: Float = 0
        var count = 0
        for run in runs {
            let row = map + Int(run.row) * stride
            for x in Int(run.first)..<Int(run.end) { sum += row[x] }
            count += Int(run.end - run.first)
        }
        return count > 0 ? sum / Float(count) : 0
    }
}

extension RotatedRect {
    /// The rectangle in upright pixels, from one in pixels of the detector's map.
    ///
    /// Both axes are scaled nearly alike (they differ by the rounding of the resized size), so a rectangle stays one.
    fileprivate func scaled(x scaleX: Float, y scaleY: Float, from region: PixelRect) -> RotatedRect {
        var rect = self
        rect.centre = Point(
            x: self.centre.x * scaleX + Float(region.x),
            y: self.centre.y * scaleY + Float(region.y)
        )
        let along = abs(self.axis.x)
        rect.width *= along * scaleX + (1 - along) * scaleY
        rect.height *= along * scaleY + (1 - along) * scaleX
        return rect
    }
}
