/// Segmentation of touching characters without a recognizer, for detection alone.
///
/// Of all ways to split a component it takes the cheapest, found by dynamic programming over the columns of locally least
/// foreground: a character costs the deviation of its width from the usual one, a cut the foreground that it crosses. Small
/// print touches where its edges are blurred, and a cut there crosses no full foreground; within a letter, as in the arches of
/// an *m*, it does. Boxes are in pixels of the rectified line.
struct TouchingCharacterSplitter {
    /// Typical height of the line's characters in pixels.
    let height: Float

    /// Fitted on pages, typeset pages, graphics and signs.
    ///
    /// Boxes of characters 0.838 → 0.921, 0.770 → 0.911, 0.734 → 0.910 and 0.514 → 0.768 (accuracy log, *Detect-only segmentation:
    /// touching characters*).
    private enum Tuning {
        /// Width of a character without cost, in character heights.
        static let usualWidth: Float = 0.35
        /// Deviation from it that costs 1, in character heights.
        static let widthDeviation: Float = 0.28
        /// Cost of any cut.
        static let cutCost: Float = 0.9
        /// Cost of a cut through full foreground, by its strongest pixel; without it pages have 0.863.
        static let maxForeground: Float = 3.4
        /// Cost of a cut through foreground a character high; without it pages have 0.919.
        static let foreground: Float = 3
        /// Height up to which a component is a dash of any width, in character heights; not measured alone.
        static let dashHeight: Float = 0.4
    }

    /// Whether a box may hold several touching characters.
    func maySplit(_ box: BoundingBox) -> Bool {
        box.width > Tuning.usualWidth * self.height && self.cost(ofWidth: box.width) > Tuning.cutCost
            && box.height > Tuning.dashHeight * self.height
    }

    /// Splits touching characters.
    ///
    /// - Parameters:
    ///   - box: The bounding box of the characters.
    ///   - runs: The runs of their components.
    ///   - mask: The foreground mask of the line.
    /// - Returns: Their boxes from left to right; `box` alone where no split is cheaper.
    func split(_ box: BoundingBox, runs: [ComponentLabeler.Run], mask: borrowing ForegroundMask) -> [BoundingBox] {
        let edges = self.cheapestEdges(self.cutCosts(in: box, runs: runs, mask: mask))
        guard edges.count > 2 else { return [box] }
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            BoundingBox(around: runs, in: Int32(box.x0) + Int32(start)..<Int32(box.x0) + Int32(end))
        }
    }

    private func cost(ofWidth width: Float) -> Float {
        let deviation = (width / self.height - Tuning.usualWidth) / Tuning.widthDeviation
        return deviation * deviation
    }

    /// Returns the cost of a cut at each column, which then begins the character to its right.
    private func cutCosts(
        in box: BoundingBox,
        runs: [ComponentLabeler.Run],
        mask: borrowing ForegroundMask
    ) -> [Float] {
        let left = Int(box.x0)
        var strongest = [Float](repeating: 0, count: Int(box.x1) - left)
        var sums = strongest
        for run in runs {
            let row = mask.pixels + Int(run.row) * mask.width
            for x in Int(run.first)..<Int(run.end) {
                strongest[x - left] = max(strongest[x - left], row[x])
                sums[x - left] += row[x]
            }
        }
        // Faint foreground between strokes belongs to no component, but shows that they are one character.
        for y in Int(box.y0)..<Int(box.y1) {
            let row = mask.pixels + y * mask.width + left
            for column in sums.indices where row[column] <= ForegroundMask.threshold { sums[column] += row[column] }
        }
        return zip(sums, strongest).map { sum, strongest in
            Tuning.cutCost + Tuning.maxForeground * strongest + Tuning.foreground * sum / self.height
        }
    }

    /// Returns the columns at which characters begin, and the end of the last, for the least total cost.
    private func cheapestEdges(_ costs: [Float]) -> [Int] {
        let valleys = costs.indices.dropFirst().dropLast().filter {
            costs[$0] < costs[$0 - 1] && costs[$0] <= costs[$0 + 1]
        }
        let edges = [0] + valleys + [costs.count]
        // For each edge the least total cost up to it, and the edge before it.
        var best: [(cost: Float, before: Int)] = [(0, 0)]
        for end in edges.indices.dropFirst() {
            var least = (cost: Float.infinity, before: 0)
            for start in (0..<end).reversed() {
                let width = Float(edges[end] - edges[start])
                let cost = self.cost(ofWidth: width)
                if best[start].cost + cost < least.cost { least = (best[start].cost + cost, start) }
                // Beyond the usual width the cost only grows.
                if width > Tuning.usualWidth * self.height, cost >= least.cost { break }
            }
            if end < edges.count - 1 { least.cost += costs[edges[end]] }
            best.append(least)
        }
        var path = [edges.count - 1]
        while let last = path.last, last > 0 { path.append(best[last].before) }
        return path.reversed().map { edges[$0] }
    }
}
