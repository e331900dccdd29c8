internal import TextModel

/// A postprocessor of probability maps by differentiable binarization (DB); for one thread at a time.
///
/// The last stage of ``TextDetector``: binarization, connected components, minimum-area boxes, unclipping. It takes a map in
/// its own pixels and gives lines in upright pixels of the whole frame. Liao et al., Real-time Scene Text Detection with
/// Differentiable Binarization (AAAI 2020).
final class DBPostprocessor {
    /// A roundish kernel has some minimum-area box at any angle.
    ///
    /// Chosen by hand: with 2 for the one and a seventh more area for the other, scenes at `accurate` fall from 0.675 to 0.672
    /// (accuracy log, *Pictures that were drawn to fail*).
    private enum Tuning {
        /// Long side of a box, as a ratio to its short side, below which its angle counts only if it matters.
        static let maxSquareRatio: Float = 1.4
        /// Area of such a box, as a share of that of the level one, from which the level one is taken.
        static let minLevelShare: Float = 0.88
    }

    private let settings: DetectorSettings
    private var labeler = ComponentLabeler()
    /// Pooled buffer of ``box(around:)``.
    private var rowExtentBuffer: [(first: Int32, end: Int32)] = []

    init(_ settings: DetectorSettings) { self.settings = settings }

    /// Detects the lines of a region in its probability map.
    func lines(in map: ProbabilityMap, of region: DetectionRegion) -> [DetectedLine] {
        self.labeler.label(
            map.base,
            width: map.width,
            height: map.height,
            stride: map.stride,
            above: self.settings.binarizationThreshold
        )
        var kernels = (0..<self.labeler.componentCount).compactMap { self.kernel(of: $0, in: map) }
        TextKernel.limitUnclipping(of: &kernels)
        return kernels.map { DetectedLine(rect: region.upright($0.unclipped), score: $0.score) }
    }

    /// Returns the text kernel of a component; `nil` where it is too small or its score too low.
    private func kernel(of component: Int, in map: ProbabilityMap) -> TextKernel? {
        let runs = self.labeler.runs(of: component)
        guard let box = self.box(around: runs), min(box.width, box.height) >= self.settings.minBoxSide else {
            return nil
        }
        let score = map.mean(of: runs)
        guard score >= self.settings.minBoxScore else { return nil }
        let unclipDistance = box.width * box.height * self.settings.unclipRatio / (2 * (box.width + box.height))
        return TextKernel(rect: box, score: score, unclipDistance: unclipDistance)
    }

    /// Returns the minimum-area box of a component; a level one where its angle says nothing.
    private func box(around runs: UnsafeBufferPointer<ComponentLabeler.Run>) -> RotatedRect? {
        guard let first = runs.first, let last = runs.last else { return nil }
        let top = Int(first.row)
        self.rowExtentBuffer.removeAll(keepingCapacity: true)
        self.rowExtentBuffer.append(contentsOf: repeatElement((first: .max, end: 0), count: Int(last.row) - top + 1))
        for run in runs {
            let row = Int(run.row) - top
            self.rowExtentBuffer[row].first = min(self.rowExtentBuffer[row].first, run.first)
            self.rowExtentBuffer[row].end = max(self.rowExtentBuffer[row].end, run.end)
        }
        let hull = ConvexHull.around(top: top, extents: self.rowExtentBuffer)
        guard let box = RotatedRect(enclosing: hull)?.levelled else { return nil }
        guard max(box.width, box.height) < Tuning.maxSquareRatio * min(box.width, box.height) else { return box }
        let level = RotatedRect(bounding: hull)
        return box.area > Tuning.minLevelShare * level.area ? level : box
    }
}
