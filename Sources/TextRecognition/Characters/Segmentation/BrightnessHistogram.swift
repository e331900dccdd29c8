/// Intensity histogram of some columns of a rectified line.
struct BrightnessHistogram {
    private var counts = InlineArray<64, Float>(repeating: 0)
    /// Counts of the line's upper and lower edge alone.
    private var edgeCounts = InlineArray<64, Float>(repeating: 0)

    private enum Tuning {
        /// Intensities of a bin, of 256.
        static let binWidth: Float = 4
        /// Rows of the upper and of the lower edge; not measured.
        static let edgeRows = 2
        /// Distance of the classes' shares from one half below which the edge decides; not measured.
        static let ambiguousShare: Float = 0.08
    }

    /// Creates an empty histogram.
    init() {}

    /// Creates the histogram of `columns` of `gray`, which has `height` rows of `width` values.
    init(_ gray: UnsafePointer<Float>, width: Int, height: Int, columns: Range<Int>) {
        for y in 0..<height {
            let isEdge = y < Tuning.edgeRows || y >= height - Tuning.edgeRows
            for x in columns {
                let bin = max(0, min(self.counts.count - 1, Int(gray[y * width + x] / Tuning.binWidth)))
                self.counts[bin] += 1
                if isEdge { self.edgeCounts[bin] += 1 }
            }
        }
    }

    /// Adds the counts of another histogram.
    static func += (histogram: inout Self, other: Self) {
        for bin in histogram.counts.indices {
            histogram.counts[bin] += other.counts[bin]
            histogram.edgeCounts[bin] += other.edgeCounts[bin]
        }
    }

    /// Returns the mean intensities of the two classes of Otsu's threshold.
    ///
    /// Otsu, A Threshold Selection Method from Gray-Level Histograms (1979). The larger class is the background; where both
    /// are about as large, as in bold capitals, it is the one with most of the line's upper and lower edge. The edge alone is
    /// not enough: the rules of a table run along it.
    ///
    /// - Parameter isForegroundDarker: Which class is the foreground, where that is known.
    /// - Returns: The levels; `nil` for a single intensity.
    func levels(isForegroundDarker: Bool? = nil) -> IntensityLevels? {
        guard let split = self.split else { return nil }
        let (dark, light) = (self.mean(0...split), self.mean((split + 1)...(self.counts.count - 1)))
        let isForegroundDarker = isForegroundDarker ?? !self.isBackgroundDark(upTo: split)
        return isForegroundDarker
            ? IntensityLevels(background: light, foreground: dark)
            : IntensityLevels(background: dark, foreground: light)
    }

    /// Returns the share of pixels that are nearer to the foreground of `levels` than to their background.
    func foregroundShare(of levels: IntensityLevels) -> Float {
        let middle = Int((levels.background + levels.foreground) / 2 / Tuning.binWidth)
        let darkShare = Self.sum(self.counts, 0...middle) / Self.sum(self.counts, 0...(self.counts.count - 1))
        return levels.contrast < 0 ? darkShare : 1 - darkShare
    }

    /// Otsu's threshold: the last bin of the darker class, for the greatest variance between the classes.
    private var split: Int? {
        var (total, sum) = (Float(0), Float(0))
        for bin in self.counts.indices {
            total += self.counts[bin]
            sum += Float(bin) * self.counts[bin]
        }
        var (below, sumBelow, best, split) = (Float(0), Float(0), Float(-1), Int?.none)
        for bin in 0..<self.counts.count - 1 {
            below += self.counts[bin]
            sumBelow += Float(bin) * self.counts[bin]
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let difference = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * difference * difference
            if variance > best { (best, split) = (variance, bin) }
        }
        return split
    }

    private func isBackgroundDark(upTo split: Int) -> Bool {
        let all = 0...(self.counts.count - 1)
        let darkShare = Self.sum(self.counts, 0...split) / Self.sum(self.counts, all)
        guard abs(darkShare - 0.5) < Tuning.ambiguousShare else { return darkShare > 0.5 }
        return Self.sum(self.edgeCounts, 0...split) > Self.sum(self.edgeCounts, all) / 2
    }

    private func mean(_ bins: ClosedRange<Int>) -> Float {
        var (count, sum) = (Float(0), Float(0))
        for bin in bins {
            count += self.counts[bin]
            sum += (Float(bin) + 0.5) * Tuning.binWidth * self.counts[bin]
        }
        return count > 0 ? sum / count : 0
    }

    private static func sum(_ counts: InlineArray<64, Float>, _ bins: ClosedRange<Int>) -> Float {
        bins.reduce(0) { $0 + counts[$1] }
    }
}
