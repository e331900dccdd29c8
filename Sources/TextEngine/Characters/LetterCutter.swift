/// Cuts ink that is too wide for one letter where letters touch, without knowing what they say.
///
/// Of all ways to cut it takes the one that costs least: letters cost what their widths differ from the usual one, and a cut
/// costs what it goes through. Small print touches where its edges are blurred, and a cut there finds no dark pixel; within a
/// letter, as in the arches of an *m*, it finds one.
enum LetterCutter {
    /// The width that costs a letter nothing, and how far others differ until they cost 1, in heights of letters.
    private static let width = (usual: Float(0.35), deviation: Float(0.28))
    /// What a cut costs in itself, for its darkest pixel, and for as much ink as a letter is high.
    private static let cut = (itself: Float(0.9), darkest: Float(3.4), ink: Float(3))

    /// What is lower, in heights of letters, is a dash, which may be as wide as it likes.
    private static let dash: Float = 0.4

    /// The letters that touch in `letter`, from left to right.
    ///
    /// - Parameters:
    ///   - letter: Where the ink lies.
    ///   - height: How high letters of the line are.
    ///   - ink: Of the line.
    /// - Returns: Their boxes; `letter` alone where it is best not cut.
    static func letters(in letter: InkBox, height: Float, ink: borrowing InkMap) -> [InkBox] {
        let width = letter.x1 - letter.x0
        guard width > Self.width.usual * height, Self.cost(ofWidth: width, height) > Self.cut.itself,
            letter.y1 - letter.y0 > Self.dash * height
        else { return [letter] }
        let costs = Self.costs(in: letter, height: height, ink: ink)
        let edges = Self.cheapestEdges(costs, height: height)
        guard edges.count > 2 else { return [letter] }
        return zip(edges, edges.dropFirst()).compactMap { start, end in
            ink.box(columns: Int(letter.x0) + start..<Int(letter.x0) + end, rows: Int(letter.y0)..<Int(letter.y1))
        }
    }

    private static func cost(ofWidth width: Float, _ height: Float) -> Float {
        let deviation = (width / height - Self.width.usual) / Self.width.deviation
        return deviation * deviation
    }

    /// What a cut costs at the left edge of each column.
    private static func costs(in letter: InkBox, height: Float, ink: borrowing InkMap) -> [Float] {
        var sums = [Float](repeating: 0, count: Int(letter.x1 - letter.x0))
        var darkest = sums
        for y in Int(letter.y0)..<Int(letter.y1) {
            let row = ink.ink + y * ink.width + Int(letter.x0)
            for x in sums.indices {
                sums[x] += row[x]
                darkest[x] = max(darkest[x], row[x])
            }
        }
        return zip(sums, darkest).map { Self.cut.itself + Self.cut.darkest * $1 + Self.cut.ink * $0 / height }
    }

    /// The columns where letters begin, and the end of the last, for least cost; cuts are where there is least ink around.
    private static func cheapestEdges(_ costs: [Float], height: Float) -> [Int] {
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
                let cost = Self.cost(ofWidth: width, height)
                if best[start].cost + cost < least.cost { least = (best[start].cost + cost, start) }
                // Wider letters only cost more.
                if width > Self.width.usual * height, cost >= least.cost { break }
            }
            if end < edges.count - 1 { least.cost += costs[edges[end]] }
            best.append(least)
        }
        var path = [edges.count - 1]
        while let last = path.last, last > 0 { path.append(best[last].before) }
        return path.reversed().map { edges[$0] }
    }
}
