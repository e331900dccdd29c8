/// Gaps between a line's characters, in character heights.
struct LineGaps {
    /// Fitted on pages, forms, web graphics and scenes (accuracy log, *Detect-only segmentation: word gaps*).
    private enum Tuning {
        /// Prior of the gaps within words: one gap of the usual width.
        static let withinWords = GapSums(of: 0.1, count: 1)
        /// Prior of the gaps between words: how much wider they are than those within.
        static let betweenExcess: Float = 0.33
        /// Number of gaps that this prior counts as.
        static let betweenCount: Float = 3
        /// Cost of each gap between words, in squared deviation: most gaps are within.
        static let betweenCost: Float = 0.02
        /// Bounds of a gap: overlapping letters and distant table cells say nothing about the usual widths.
        static let bounds: ClosedRange<Float> = -0.05...1
        /// Least step from the widest gap within words to the narrowest between them.
        static let minStep: Float = 0.06
        /// Most excess of the usual gap over the first quartile.
        ///
        /// Chosen on rendered lines (accuracy log, *Look-alike characters*); not measured alone.
        static let maxSpread: Float = 0.15
    }

    /// Width of the gap behind each character but the last.
    let widths: [Float]

    /// Measures the gaps between boxes.
    init(_ boxes: [BoundingBox]) {
        let height = BoundingBox.typicalHeight(of: boxes)
        self.widths = zip(boxes, boxes.dropFirst()).map { ($1.x0 - $0.x1) / height }
    }

    /// Measures the gaps between boxes, less the side bearings of their characters.
    init(_ boxes: [BoundingBox], bearings: [SideBearing]) {
        let gaps = LineGaps(boxes).widths
        self.widths = gaps.indices.map { gaps[$0] - bearings[$0].right - bearings[$0 + 1].left }
    }

    /// Returns the usual gap within a word.
    ///
    /// - Parameter operators: Gaps beside operators, which may all be spaces.
    /// - Returns: The usual gap of all, or of those not beside operators if that is less.
    func usual(besides operators: Set<Int>) -> Float {
        let others = self.widths.indices.filter { !operators.contains($0) }.map { self.widths[$0] }
        return min(Self.usual(of: self.widths), Self.usual(of: others))
    }

    /// Returns the lower median of gaps; 0 for a single gap, which shows nothing.
    ///
    /// In a line of words of one or two letters half of the gaps are between words, so it is bounded by the first quartile and
    /// the spread of gaps within words.
    private static func usual(of widths: [Float]) -> Float {
        guard widths.count > 1 else { return 0 }
        let sorted = widths.sorted()
        return min(sorted[(sorted.count - 1) / 2], sorted[sorted.count / 4] + Tuning.maxSpread)
    }

    /// Gap beyond which a word ends: the threshold between two clusters of gaps.
    ///
    /// Infinity for one cluster alone, minus infinity where a lone gap ends a word. The split has the least squared deviations
    /// from the clusters' means, which is one-dimensional 2-means with priors: type, handwriting and signs differ in their
    /// usual gaps, and a line of few gaps leans on the priors. Letters that are all equally far apart are one word, unless
    /// there are but two.
    var wordGap: Float {
        let gaps = self.widths.map { min(max($0, Tuning.bounds.lowerBound), Tuning.bounds.upperBound) }.sorted()
        var within = Tuning.withinWords
        var between = gaps.reduce(into: GapSums()) { $0.add($1) }
        // A lone gap may be one between words; of more, the narrowest is within one.
        let narrowest = gaps.count < 2 ? -Float.infinity : gaps.first ?? 0
        var best = (cost: Float.infinity, gap: Float.infinity)
        for (index, gap) in gaps.enumerated() {
            let below = index > 0 ? gaps[index - 1] : narrowest
            if gap - below > Tuning.minStep {
                let upper = GapSums(of: within.mean + Tuning.betweenExcess, count: Tuning.betweenCount) + between
                let cost = within.deviations + upper.deviations + Tuning.betweenCost * between.count
                if cost < best.cost { best = (cost, (below + gap) / 2) }
            }
            within.add(gap)
            between.add(gap, times: -1)
        }
        return within.deviations < best.cost ? .infinity : best.gap
    }
}

/// Moments of a set of gaps: count, sum and sum of squares.
private struct GapSums {
    private(set) var count: Float = 0
    private var sum: Float = 0
    private var squares: Float = 0

    init() {}

    /// Creates the moments of `count` equal gaps.
    init(of gap: Float, count: Float) { self.add(gap, times: count) }

    var mean: Float { self.sum / self.count }
    /// Sum of the squared deviations from the mean.
    var deviations: Float { self.squares - self.sum * self.sum / self.count }

    mutating func add(_ gap: Float, times count: Float = 1) {
        self.count += count
        self.sum += count * gap
        self.squares += count * gap * gap
    }

    static func + (left: GapSums, right: GapSums) -> GapSums {
        var sums = left
        sums.count += right.count
        sums.sum += right.sum
        sums.squares += right.squares
        return sums
    }
}
