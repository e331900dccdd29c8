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
    var maxLongSide = DetectionPlan.longestInput
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
    private let settings: DetectorSettings
    private var resizer = TensorResizer()
    private var labeler = ComponentLabeler()
    private var extents: [(first: Int32, end: Int32)] = []
    /// The maps of pictures that are looked at in pieces.
    private var map = ScratchBuffer<Float>()

    init(model: any InferenceModel<Float>, settings: DetectorSettings) {
        self.model = model
        self.settings = settings
    }

    /// The shapes of the network's inputs for pictures of `width` x `height` and for parts of them.
    package static func inputShapes(width: Int, height: Int, scale: Float) -> [InputShape] {
        let plan = DetectionPlan(width: width, height: height, settings: DetectorSettings(scale: scale))
        return plan.sheets.prefix(1).map(\.shape) + DetectionSheet.partShapes
    }

    /// Finds the lines inside `region` of the upright picture.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - region: What is looked at as a whole, in upright pixels; it decides at which size.
    ///   - parts: The parts of the region to look at, each by itself; `nil` for all of it.
    ///   - leastHeight: The height of the lowest lines that are asked for, in upright pixels; 0 where that is not said.
    /// - Returns: The lines in upright pixels of the whole picture.
    /// - Throws: ``WireError`` when inference fails.
    func detect(
        in frame: UprightFrame,
        region: PixelRect,
        parts: [PixelRect]? = nil,
        leastHeight: Float = 0
    ) throws(WireError) -> [DetectedLine] {
        let plan = self.plan(for: region, leastHeight: leastHeight)
        guard let parts else {
            let whole = Picture(rect: region, size: (plan.width, plan.height))
            return try self.look(at: [whole], of: frame, on: plan.sheets)
        }
        let pictures = parts.map { Picture(rect: $0, size: plan.size(ofPart: $0)) }
        return try self.look(at: pictures, of: frame, on: DetectionSheet.showing(pictures.map(\.size)))
    }

    /// What looking at `parts` of `region` costs, as a fraction of what all of it does.
    func cost(ofParts parts: [PixelRect], in region: PixelRect, leastHeight: Float = 0) -> Float {
        self.plan(for: region, leastHeight: leastHeight).cost(ofParts: parts)
    }

    private func plan(for region: PixelRect, leastHeight: Float) -> DetectionPlan {
        DetectionPlan(width: region.width, height: region.height, leastHeight: leastHeight, settings: self.settings)
    }
}

extension TextDetector {
    /// A part of the frame that is looked at by itself.
    private struct Picture {
        /// In upright pixels.
        let rect: PixelRect
        /// Of the part, resized.
        let size: (width: Int, height: Int)

        /// What a piece of it shows, in upright pixels.
        func rect(of piece: DetectionSheet.Piece) -> PixelRect {
            func rect(
                _ span: DetectionSpan,
                _ origin: Int,
                _ length: Int,
                _ resized: Int
            ) -> (start: Int, length: Int) {
                let scale = Float(length) / Float(resized)
                let start = min(length - 1, Int((Float(span.start) * scale).rounded()))
                let end = min(length, max(start + 1, Int((Float(span.start + span.length) * scale).rounded())))
                return (origin + start, end - start)
            }
            let columns = rect(piece.columns, self.rect.x, self.rect.width, self.size.width)
            let rows = rect(piece.rows, self.rect.y, self.rect.height, self.size.height)
            return PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
        }

        /// Whether a piece shows all of it.
        func isWhole(in piece: DetectionSheet.Piece) -> Bool {
            (piece.columns.kept.count, piece.rows.kept.count) == self.size
        }
    }

    /// Runs the network for sheets on which pictures lie, and finds the lines of those.
    private func look(
        at pictures: [Picture],
        of frame: UprightFrame,
        on sheets: [DetectionSheet]
    ) throws(WireError) -> [DetectedLine] {
        guard let shape = sheets.first?.shape else { return [] }
        let (starts, count) = Self.places(of: pictures, on: sheets)
        self.map.reserve(count)
        var lines = try self.model.infer(shape, count: sheets.count) { index, tensor in
            for piece in sheets[index].pieces {
                self.resizer.resize(
                    frame.view,
                    rect: frame.sent(pictures[piece.picture].rect(of: piece)),
                    orientation: frame.orientation,
                    to: (piece.columns.length, piece.rows.length),
                    slot: piece.slot,
                    shape: shape,
                    into: tensor
                )
            }
        } read: { index, output in
            guard let map = output.values.baseAddress else { return [DetectedLine]() }
            return sheets[index].pieces.flatMap { piece in
                let place = map + piece.slot.y * shape.width + piece.slot.x
                guard let start = starts[piece.picture] else {
                    return self.lines(in: place, stride: shape.width, of: pictures[piece.picture])
                }
                self.keep(piece, of: place, stride: shape.width, at: start, width: pictures[piece.picture].size.width)
                return []
            }
        }.flatMap(\.self)
        for (start, picture) in zip(starts, pictures) {
            guard let start else { continue }
            lines += self.lines(in: self.map.base + start, stride: picture.size.width, of: picture)
        }
        return lines
    }

    /// Where the maps of those pictures begin that lie in pieces, and how many numbers they have in all.
    private static func places(of pictures: [Picture], on sheets: [DetectionSheet]) -> (starts: [Int?], count: Int) {
        var starts = [Int?](repeating: nil, count: pictures.count)
        var count = 0
        for piece in sheets.flatMap(\.pieces) where !pictures[piece.picture].isWhole(in: piece) {
            guard starts[piece.picture] == nil else { continue }
            starts[piece.picture] = count
            count += pictures[piece.picture].size.width * pictures[piece.picture].size.height
        }
        return (starts, count)
    }

    /// Puts what is kept of a piece's map into its picture's.
    private func keep(
        _ piece: DetectionSheet.Piece,
        of values: UnsafePointer<Float>,
        stride: Int,
        at start: Int,
        width: Int
    ) {
        let columns = piece.columns.kept
        for row in piece.rows.kept {
            let from = values + (row - piece.rows.start) * stride + columns.lowerBound - piece.columns.start
            (self.map.base + start + row * width + columns.lowerBound).update(from: from, count: columns.count)
        }
    }

    private func lines(
        in map: UnsafePointer<Float>,
        stride: Int,
        of picture: Picture
    ) -> [DetectedLine] {
        self.labeler.label(
            map,
            width: picture.size.width,
            height: picture.size.height,
            stride: stride,
            above: self.settings.threshold
        )
        let scaleX = Float(picture.rect.width) / Float(picture.size.width)
        let scaleY = Float(picture.rect.height) / Float(picture.size.height)
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
                    rect: rect.expanded(by: distance).scaled(x: scaleX, y: scaleY, from: picture.rect),
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
