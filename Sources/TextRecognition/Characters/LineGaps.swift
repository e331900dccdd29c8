/// The gaps between a line's characters, in character heights.
///
/// The numbers were fitted on the sets of docs/log/accuracy.md, *Detect-only segmentation: word gaps*.
struct LineGaps {
    /// The gap that is usual within a word, as long as a line has shown no other.
    private static let usualInWord = GapSums(of: 0.1, count: 1)
    /// How much wider gaps between words are than those within, before a line shows it, and how many gaps that counts as.
    private static let wider = (by: Float(0.33), count: Float(3))
    /// What each gap costs that is taken for one between words, as squares of deviations do: most are within.
    private static let rarity: Float = 0.02
    /// Gaps are taken as no narrower and no wider than this: letters that overlap more and cells of a table that lie further
    /// apart say no more about what is usual.
    private static let telling: ClosedRange<Float> = -0.05...1
    /// The least step from the widest gap within words to the narrowest between them: gaps of one kind differ by less.
    private static let leap: Float = 0.06

    /// Behind each character but the last.
    let widths: [Float]

    init(_ boxes: [BoundingBox]) {
        let height = BoundingBox.typicalHeight(of: boxes)
        self.widths = zip(boxes, boxes.dropFirst()).map { ($1.x0 - $0.x1) / height }
    }

    /// The gaps without the side bearings of the characters beside them, which are those of `bearings`.
    init(_ boxes: [BoundingBox], bearings: [SideBearing]) {
        let gaps = LineGaps(boxes).widths
        self.widths = gaps.indices.map { gaps[$0] - bearings[$0].right - bearings[$0 + 1].left }
    }

    /// The gap that is usual within a word: the median, the lesser one of two; 0 where there is but one, which nothing shows to
    /// be usual.
    ///
    /// In a line of words of one or two letters, half of the gaps are between words: it is no more than ``mostSpread`` beyond
    /// the first quartile.
    var usual: Float {
        guard self.widths.count > 1 else { return 0 }
        let sorted = self.widths.sorted()
        return min(sorted[(sorted.count - 1) / 2], sorted[sorted.count / 4] + Self.mostSpread)
    }

    /// Gaps within words differ by less.
    private static let mostSpread: Float = 0.15

    /// The gap beyond which a word ends, by the widths alone: in the middle between the two kinds, infinity where there is but
    /// one kind, and minus infinity where a lone gap ends a word.
    ///
    /// The gaps are parted in two kinds, each with the least squares of the deviations from its mean. Type, writing and signs
    /// differ in what is usual, so it is found for each line; a line of few gaps leans on what is usual elsewhere. Letters that
    /// all stand as far apart are one word, unless there are but two.
    var wordGap: Float {
        let gaps = self.widths.map { min(max($0, Self.telling.lowerBound), Self.telling.upperBound) }.sorted()
        var within = Self.usualInWord
        var between = gaps.reduce(into: GapSums()) { $0.add($1) }
        // A lone gap may be one between words; of more, the narrowest is within one.
        let narrowest = gaps.count < 2 ? -Float.infinity : gaps.first ?? 0
        var best = (cost: Float.infinity, gap: Float.infinity)
        for (index, gap) in gaps.enumerated() {
            let below = index > 0 ? gaps[index - 1] : narrowest
            if gap - below > Self.leap {
                let parting = GapSums(of: within.mean + Self.wider.by, count: Self.wider.count) + between
                let cost = within.deviations + parting.deviations + Self.rarity * between.count
                if cost < best.cost { best = (cost, (below + gap) / 2) }
            }
            within.add(gap)
            between.add(gap, times: -1)
        }
        return within.deviations < best.cost ? .infinity : best.gap
    }
}

/// What is to be known of some gaps to tell their mean and the squares of the deviations from it.
private struct GapSums {
    private(set) var count: Float = 0
    private var sum: Float = 0
    private var squares: Float = 0

    init() {}

    /// So many gaps of one width.
    init(of gap: Float, count: Float) { self.add(gap, times: count) }

    var mean: Float { self.sum / self.count }
    /// The sum of the squares of the deviations from the mean.
    var deviations: Float { self.squares - self.sum * self.sum / self.count }

    mutating func add(_ gap: Float, times count: Float = 1) {
        self.count += count
        self.sum += count * gap
        self.squares += count * gap * gap
    }

    static func + (some: GapSums, others: GapSums) -> GapSums {
        var sums = some
        sums.count += others.count
        sums.sum += others.sum
        sums.squares += others.squares
        return sums
    }
}
