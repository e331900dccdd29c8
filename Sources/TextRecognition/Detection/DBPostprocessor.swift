internal import ImageCodecs
internal import TextModel

/// Puts parts of a frame on the sheets that a detection network looks at, and finds lines in its maps of them; for one thread at
/// a time.
final class DBPostprocessor {
    private let settings: DetectorSettings
    private var resizer = TensorResizer()
    private var labeler = ComponentLabeler()
    private var extents: [(first: Int32, end: Int32)] = []

    init(_ settings: DetectorSettings) { self.settings = settings }

    /// Fills the network's input for a sheet.
    func show(
        _ sheet: TileAtlas,
        of pictures: [DetectionRegion],
        in frame: UprightFrame,
        on tensor: UnsafeMutableBufferPointer<UInt8>
    ) {
        for piece in sheet.pieces {
            self.resizer.resize(
                frame.view,
                rect: frame.sent(pictures[piece.picture].rect(of: piece)),
                orientation: frame.orientation,
                to: (piece.columns.length, piece.rows.length),
                slot: piece.slot,
                shape: sheet.shape,
                into: tensor
            )
        }
    }

    /// Finds the lines of a picture in its map.
    ///
    /// - Parameters:
    ///   - map: How likely it is that there is text, pixel by pixel of the resized picture.
    ///   - stride: From the start of one of its rows to that of the next.
    ///   - picture: The picture.
    /// - Returns: The lines in upright pixels of the whole frame.
    func lines(
        in map: UnsafePointer<Float>,
        stride: Int,
        of picture: DetectionRegion
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
        let cores = (0..<self.labeler.componentCount).compactMap { self.core(of: $0, in: map, stride: stride) }
        return zip(cores, TextKernel.lines(of: cores)).map { core, line in
            DetectedLine(rect: line.scaled(x: scaleX, y: scaleY, from: picture.rect), score: core.score)
        }
    }

    /// What the map marks of a line; `nil` where it is too small or the network too unsure.
    private func core(of component: Int, in map: UnsafePointer<Float>, stride: Int) -> TextKernel? {
        let runs = self.labeler.runs(of: component)
        guard let rect = self.rect(around: runs) else { return nil }
        guard min(rect.width, rect.height) >= self.settings.minSide else { return nil }
        let score = Self.mean(of: runs, in: map, stride: stride)
        guard score >= self.settings.minScore else { return nil }
        let unclipDistance = rect.width * rect.height * self.settings.unclipRatio / (2 * (rect.width + rect.height))
        return TextKernel(rect: rect, score: score, unclipDistance: unclipDistance)
    }

    /// The smallest rectangle around a component.
    private func rect(around runs: UnsafeBufferPointer<ComponentLabeler.Run>) -> RotatedRect? {
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
