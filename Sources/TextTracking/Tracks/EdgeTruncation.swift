internal import TextModel

/// Truncation of a line by the edges of the frame where it was anchored, and of later frames, which are as large.
struct EdgeTruncation {
    private enum Tuning {
        /// Distance within which an edge of the frame may truncate a line.
        ///
        /// It is the larger of a number of pixels and a share of the line's height. With two numbers of ``TrackedText``, it
        /// brought `fixed` from 0.992 to 1.000 of the words of single frames (streams log, *Tighter line boxes*).
        static let edgeDistance: (pixels: Float, share: Float) = (3, 0.2)
        /// Distance within which an edge of the frame may truncate a word, in heights of its box; chosen by eye.
        static let wordEdgeDistance: Float = 0.5
        /// Largest growth of a truncated line that is read without a scan, in its heights; chosen by eye.
        static let maxGrowth: Float = 1
    }

    /// Size of the frames.
    let frameSize: (width: Int, height: Int)
    /// Whether an edge may have truncated the line when it was anchored.
    let isTruncated: Bool
    /// Box of the detection where the line was anchored.
    private let region: Quad
    /// Box of the detection with the continuation of its truncated ends; `region` where it has none.
    private let continued: Quad
    /// Distance within which an edge may truncate the line, in pixels.
    private let distance: Float
    /// Length of the detection outside the frame where the line was anchored, in pixels.
    private let overhang: Float

    /// Truncation of a line that was detected in `region` of a frame.
    init(of region: Quad, in frameSize: (width: Int, height: Int)) {
        self.region = region
        self.frameSize = frameSize
        let line = region.withLongSideUp
        self.distance = max(Tuning.edgeDistance.pixels, Tuning.edgeDistance.share * line.height)
        self.isTruncated = !region.isInside(frameSize, margin: self.distance)
        self.overhang = region.length - region.clipped(toLengthIn: frameSize).length
        let distance = self.distance / max(line.width, 1)
        let near = line.section(ClosedRange(around: [-distance, 1 + distance])).visibleInterval(in: frameSize) ?? 0...1
        let growth = Tuning.maxGrowth * line.height / max(line.width, 1)
        let start = near.lowerBound > 0 ? growth : 0
        let end = near.upperBound < 1 ? growth : 0
        self.continued = line.section(ClosedRange(around: [-start, 1 + end]))
    }

    /// Place of the line after a motion, without what the frame's edges cut off of its length since it was anchored.
    func place(after motion: Affine) -> Quad {
        motion == .identity ? self.region : self.clipped(motion(self.region))
    }

    /// Place of the line after a motion with the continuation of its truncated ends, as far as the frame shows them.
    func continuedPlace(after motion: Affine) -> Quad { self.clipped(motion(self.continued)) }

    /// Whether a frame shows less of the line's length after a motion than the one where it was anchored.
    func isPartlyHidden(after motion: Affine) -> Bool {
        motion(self.region).length - self.place(after: motion).length > self.distance
    }

    /// Whether an edge may truncate a word of the line.
    func mayTruncate(_ word: Quad) -> Bool {
        !word.isInside(self.frameSize, margin: Tuning.wordEdgeDistance * word.height)
    }

    private func clipped(_ line: Quad) -> Quad { line.clipped(toLengthIn: self.frameSize, margin: self.overhang) }
}
