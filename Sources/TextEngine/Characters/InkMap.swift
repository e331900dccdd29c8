/// How much of each pixel of a straightened line is ink, from 0 (background) to 1.
struct InkMap: ~Copyable {
    private(set) var width = 0
    private(set) var height = 0
    private var values = ScratchBuffer<Float>()
    private var sums = ScratchBuffer<Float>()

    /// Lines whose ink and background differ by less have no edges that could be trusted, in brightness 0...255.
    private static let minContrast: Float = 14

    /// Ink of all pixels, row by row.
    var ink: UnsafePointer<Float> { UnsafePointer(self.values.base) }
    /// Ink of each column.
    var profile: UnsafePointer<Float> { UnsafePointer(self.sums.base) }

    /// Separates ink from background in `gray`, `height` rows of `width` numbers.
    ///
    /// - Returns: Whether the two differ enough to be told apart.
    mutating func measure(_ gray: UnsafePointer<Float>, width: Int, height: Int) -> Bool {
        self.width = width
        self.height = height
        self.values.reserve(width * height)
        self.sums.reserve(width)
        let levels = TwoLevels(gray, width: width, height: height)
        guard abs(levels.ink - levels.background) >= Self.minContrast else { return false }
        let scale = 1 / (levels.ink - levels.background)
        let (values, sums) = (self.values.base, self.sums.base)
        sums.update(repeating: 0, count: width)
        for y in 0..<height {
            let row = y * width
            for x in 0..<width {
                let ink = max(0, min(1, (gray[row + x] - levels.background) * scale))
                values[row + x] = ink
                sums[x] += ink
            }
        }
        return true
    }
}

/// The brightness of background and ink in a line of text.
private struct TwoLevels {
    let background: Float
    let ink: Float

    /// How near to half the groups' shares must be for the edge to decide.
    private static let doubtfulShare: Float = 0.08

    /// Splits the brightnesses where the variance between the two groups is greatest.
    ///
    /// The split is Otsu's (A Threshold Selection Method from Gray-Level Histograms, 1979). The larger group is background;
    /// where they are about as large, as in bold capitals, it is the one that holds most of the line's upper and lower
    /// edge. The edge alone would not do: the rules of a table run along it.
    init(_ gray: UnsafePointer<Float>, width: Int, height: Int) {
        var histogram = [Float](repeating: 0, count: 64)
        var edge = [Float](repeating: 0, count: 64)
        for y in 0..<height {
            let isEdge = y < 2 || y >= height - 2
            for x in 0..<width {
                let bin = max(0, min(63, Int(gray[y * width + x] / 4)))
                histogram[bin] += 1
                if isEdge { edge[bin] += 1 }
            }
        }
        let total = Float(width * height)
        let sum = histogram.indices.reduce(Float(0)) { $0 + Float($1) * histogram[$1] }
        var (below, sumBelow, best, split) = (Float(0), Float(0), Float(-1), 32)
        for bin in 0..<63 {
            below += histogram[bin]
            sumBelow += Float(bin) * histogram[bin]
            let above = total - below
            guard below > 0, above > 0 else { continue }
            let difference = sumBelow / below - (sum - sumBelow) / above
            let variance = below * above * difference * difference
            if variance > best { (best, split) = (variance, bin) }
        }
        guard best >= 0 else {
            // One brightness alone, which is no ink.
            (self.background, self.ink) = (0, 0)
            return
        }
        let dark = Self.mean(histogram, 0...split)
        let light = Self.mean(histogram, (split + 1)...63)
        let darkShare = histogram[0...split].reduce(0, +) / total
        let darkEdgeShare = edge[0...split].reduce(0, +) / edge.reduce(0, +)
        let isDarkBackground = abs(darkShare - 0.5) < Self.doubtfulShare ? darkEdgeShare > 0.5 : darkShare > 0.5
        (self.background, self.ink) = isDarkBackground ? (dark, light) : (light, dark)
    }

    private static func mean(_ histogram: [Float], _ bins: ClosedRange<Int>) -> Float {
        var (count, sum) = (Float(0), Float(0))
        for bin in bins {
            count += histogram[bin]
            sum += (Float(bin) * 4 + 2) * histogram[bin]
        }
        return count > 0 ? sum / count : 0
    }
}
