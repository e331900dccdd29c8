/// Cuts ink that is too wide for one letter where letters touch, without knowing what they say.
///
/// Of all ways to cut it takes the one that costs least, found by dynamic programming over the columns with least ink around:
/// letters cost what their widths differ from the usual one, and a cut costs what it goes through. Small print touches where
/// its edges are blurred, and a cut there finds no dark pixel; within a letter, as in the arches of an *m*, it finds one. The
/// numbers were fitted on the sets of docs/log/accuracy.md, *Detect-only segmentation: touching characters*.
struct TouchingCharacterSplitter {
    /// How high most of the line's letters are, in pixels of the straightened line.
    let height: Float

    /// The width that costs a letter nothing, and how far others differ until they cost 1, in heights of letters.
    private static let letterWidth = (usual: Float(0.35), deviation: Float(0.28))
    /// What a cut costs in itself, for its darkest pixel, and for as much ink as a letter is high.
    private static let cut = (itself: Float(0.9), darkest: Float(3.4), ink: Float(3))
    /// What is lower, in heights of letters, is a dash, which may be as wide as it likes.
    private static let dash: Float = 0.4

    /// Whether a letter may be several that touch.
    func mayCut(_ letter: BoundingBox) -> Bool {
        let width = letter.x1 - letter.x0
        return width > Self.letterWidth.usual * self.height && self.cost(ofWidth: width) > Self.cut.itself
            && letter.y1 - letter.y0 > Self.dash * self.height
    }

    /// The letters that touch in one, from left to right.
    ///
    /// - Parameters:
    ///   - letter: Where it lies.
    ///   - runs: What it consists of.
    ///   - ink: Of the line.
    /// - Returns: Their boxes; `letter` alone where it is best not cut.
    func letters(in letter: BoundingBox, of runs: [ComponentLabeler.Run], ink: borrowing ForegroundMask)
        -> [BoundingBox]
    {
        let edges = self.cheapestEdges(self.costs(in: letter, of: runs, ink: ink))
        guard edges.count > 2 else { return [letter] }
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            BoundingBox(around: runs, in: Int32(letter.x0) + Int32(start)..<Int32(letter.x0) + Int32(end))
        }
    }

    private func cost(ofWidth width: Float) -> Float {
        let deviation = (width / self.height - Self.letterWidth.usual) / Self.letterWidth.deviation
        return deviation * deviation
    }

    /// What a cut costs in each column, which then begins the letter to its right.
    private func costs(in letter: BoundingBox, of runs: [ComponentLabeler.Run], ink: borrowing ForegroundMask)
        -> [Float]
    {
        let left = Int(letter.x0)
        var darkest = [Float](repeating: 0, count: Int(letter.x1) - left)
        var sums = darkest
        for run in runs {
            let row = ink.ink + Int(run.row) * ink.width
            for x in Int(run.first)..<Int(run.end) {
                darkest[x - left] = max(darkest[x - left], row[x])
                sums[x - left] += row[x]
            }
        }
        // The faint ink between strokes belongs to no piece: it is what keeps those of one letter together.
        for y in Int(letter.y0)..<Int(letter.y1) {
            let row = ink.ink + y * ink.width + left
            for column in sums.indices where row[column] <= ForegroundMask.threshold { sums[column] += row[column] }
        }
        return zip(sums, darkest).map { Self.cut.itself + Self.cut.darkest * $1 + Self.cut.ink * $0 / self.height }
    }

    /// The columns where letters begin, and the end of the last, for least cost; cuts are where there is least ink around.
    private func cheapestEdges(_ costs: [Float]) -> [Int] {
        let valleys = costs.indices.dropFirst().dropLast().filter {
            costs[$0] < costs[$0 - 1] && costs[$0] <= costs[$0 + 1]
        }
        let edges = [0] + valleys + [costs.count]
        // Of each edge the least cost of all before it, and the edge before.
        var best: [(cost: Float, before: Int)] = [(0, 0)]
        for end in edges.indices.dropFirst() {
            var least = (cost: Float.infinity, before: 0)
            for start in (0..<end).reversed() {
                let width = Float(edges[end] - edges[start])
                let cost = self.cost(ofWidth: width)
                if best[start].cost + cost < least.cost { least = (best[start].cost + cost, start) }
                // Wider letters only cost more.
                if width > Self.letterWidth.usual * self.height, cost >= least.cost { break }
            }
            if end < edges.count - 1 { least.cost += costs[edges[end]] }
            best.append(least)
        }
        var path = [edges.count - 1]
        while let last = path.last, last > 0 { path.append(best[last].before) }
        return path.reversed().map { edges[$0] }
    }
}
