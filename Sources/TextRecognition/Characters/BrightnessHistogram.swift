/// The brightnesses of some columns of a straightened line, counted.
struct BrightnessHistogram {
    private var counts = InlineArray<64, Float>(repeating: 0)
    /// Of the line's upper and lower edge alone.
    private var edgeCounts = InlineArray<64, Float>(repeating: 0)

    /// What a bin spans, in brightness 0...255.
    private static let binWidth: Float = 4
    /// How near to half the groups' shares must be for the edge to decide.
    private static let doubtfulShare: Float = 0.08

    /// Counts nothing.
    init() {}

    /// Counts `columns` of `gray`, `height` rows of `width` numbers.
    init(_ gray: UnsafePointer<Float>, width: Int, height: Int, columns: Range<Int>) {
        for y in 0..<height {
            let isEdge = y < 2 || y >= height - 2
            for x in columns {
                let bin = max(0, min(self.counts.count - 1, Int(gray[y * width + x] / Self.binWidth)))
                self.counts[bin] += 1
                if isEdge { self.edgeCounts[bin] += 1 }
            }
        }
    }

    /// Counts what another has counted as well.
    static func += (histogram: inout Self, other: Self) {
        for bin in histogram.counts.indices {
            histogram.counts[bin] += other.counts[bin]
            histogram.edgeCounts[bin] += other.edgeCounts[bin]
        }
    }

    /// Finds the two groups into which the brightnesses fall.
    ///
    /// The split is Otsu's (A Threshold Selection Method from Gray-Level Histograms, 1979). The larger group is background;
    /// where they are about as large, as in bold capitals, it is the one that holds most of the line's upper and lower
    /// edge. The edge alone would not do: the rules of a table run along it.
    ///
    /// - Parameter isInkDarker: Which group is ink, where that is known.
    /// - Returns: The means of the groups between which the variance is greatest; `nil` where there is one brightness alone.
    func levels(isInkDarker: Bool? = nil) -> IntensityLevels? {
        guard let split = self.split else { return nil }
        let (dark, light) = (self.mean(0...split), self.mean((split + 1)...(self.counts.count - 1)))
        let isInkDarker = isInkDarker ?? !self.isBackgroundDark(upTo: split)
        return isInkDarker
            ? IntensityLevels(background: light, ink: dark) : IntensityLevels(background: dark, ink: light)
    }

    /// The share of what is nearer to the ink of `levels` than to their background.
    func inkShare(of levels: IntensityLevels) -> Float {
        let middle = Int((levels.background + levels.ink) / 2 / Self.binWidth)
        let darkShare = Self.sum(self.counts, 0...middle) / Self.sum(self.counts, 0...(self.counts.count - 1))
        return levels.contrast < 0 ? darkShare : 1 - darkShare
    }

    /// The last bin of the darker group.
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
        guard abs(darkShare - 0.5) < Self.doubtfulShare else { return darkShare > 0.5 }
        return Self.sum(self.edgeCounts, 0...split) > Self.sum(self.edgeCounts, all) / 2
    }

    private func mean(_ bins: ClosedRange<Int>) -> Float {
        var (count, sum) = (Float(0), Float(0))
        for bin in bins {
            count += self.counts[bin]
            sum += (Float(bin) + 0.5) * Self.binWidth * self.counts[bin]
        }
        return count > 0 ? sum / count : 0
    }

    private static func sum(_ counts: InlineArray<64, Float>, _ bins: ClosedRange<Int>) -> Float {
        bins.reduce(0) { $0 + counts[$1] }
    }
}
