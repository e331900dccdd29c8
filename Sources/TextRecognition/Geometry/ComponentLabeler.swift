/// A labeler of connected components (eight neighbours) of the pixels of a map that exceed a threshold.
///
/// It takes a map of numbers, a probability map or the ink of a rectified line, and gives runs in the map's own pixels. The
/// algorithm is the two-pass one of Rosenfeld and Pfaltz (Journal of the ACM 13, 1966), on runs instead of pixels, with
/// union-find for the equivalences. Its memory is in pooled buffers, and holds the last map's components.
struct ComponentLabeler: ~Copyable {
    /// A run: neighbouring pixels of one row that exceed the threshold.
    struct Run: BitwiseCopyable {
        /// The row.
        var row: Int32
        /// The first pixel.
        var first: Int32
        /// One past the last pixel.
        var end: Int32
        /// While labelling, an earlier run of the same component; afterwards the component's number.
        var label: Int32
    }

    /// Pooled buffer of the runs from top to bottom.
    private var runs = ScratchBuffer<Run>()
    /// Pooled buffer of the runs, sorted by their component.
    private var sortedRuns = ScratchBuffer<Run>()
    /// Pooled buffer of the index of each component's first run in ``sortedRuns``.
    private var starts = ScratchBuffer<Int32>()
    /// The number of components.
    private(set) var componentCount = 0
    /// The runs that were excluded for their length, from top to bottom.
    private(set) var longRuns: [Run] = []

    /// Labels the components of a map.
    ///
    /// - Parameters:
    ///   - map: The first number of the first row.
    ///   - width: The numbers of a row.
    ///   - height: The number of rows.
    ///   - stride: The distance from the start of a row to that of the next, in numbers.
    ///   - threshold: The threshold, which the numbers of a component exceed.
    ///   - longestRun: Maximum length of a run; longer ones are excluded, as if they lay below the threshold.
    mutating func label(
        _ map: UnsafePointer<Float>,
        width: Int,
        height: Int,
        stride: Int,
        above threshold: Float,
        longestRun: Int = .max
    ) {
        var count = 0
        var previous = 0..<0
        self.longRuns.removeAll(keepingCapacity: true)
        for row in 0..<height {
            let start = count
            // Every second pixel of a row begins a run at most.
            self.runs.grow(to: count + width / 2 + 1, keeping: count)
            count = Self.appendRuns(
                of: map + row * stride,
                width: width,
                row: row,
                above: threshold,
                longestRun: longestRun,
                to: self.runs.base,
                count: count,
                longRuns: &self.longRuns
            )
            Self.unite(self.runs.base, upper: previous, lower: start..<count)
            previous = start..<count
        }
        self.sortByComponent(count)
    }

    /// The runs of a component, from top to bottom and left to right.
    func runs(of component: Int) -> UnsafeBufferPointer<Run> {
        let start = Int(self.starts.base[component])
        let end = Int(self.starts.base[component + 1])
        return UnsafeBufferPointer(start: UnsafePointer(self.sortedRuns.base) + start, count: end - start)
    }

    /// Appends the runs of a row, each its own component, and returns the new number of runs.
    private static func appendRuns(
        of values: UnsafePointer<Float>,
        width: Int,
        row: Int,
        above threshold: Float,
        longestRun: Int,
        to runs: UnsafeMutablePointer<Run>,
        count: Int,
        longRuns: inout [Run]
    ) -> Int {
        var count = count
        var x = 0
        let thresholds = SIMD16<Float>(repeating: threshold)
        while x < width {
            // Most of a page is empty: sixteen numbers are skipped at a time.
            while x + 16 <= width {
                let lanes = UnsafeRawPointer(values + x).loadUnaligned(as: SIMD16<Float>.self)
                if any(lanes .> thresholds) { break }
                x += 16
            }
            // Not `<=`: NaN exceeds nothing and must be skipped too.
            while x < width, !(values[x] > threshold) { x += 1 }
            guard x < width else { break }
            let first = x
            while x < width, values[x] > threshold { x += 1 }
            let run = Run(row: Int32(row), first: Int32(first), end: Int32(x), label: Int32(count))
            guard x - first <= longestRun else {
                longRuns.append(run)
                continue
            }
            runs[count] = run
            count += 1
        }
        return count
    }

    /// Unites the components of runs of two neighbouring rows that touch, diagonals included.
    private static func unite(_ runs: UnsafeMutablePointer<Run>, upper: Range<Int>, lower: Range<Int>) {
        var firstTouching = upper.lowerBound
        for below in lower {
            while firstTouching < upper.upperBound, runs[firstTouching].end < runs[below].first { firstTouching += 1 }
            var above = firstTouching
            while above < upper.upperBound, runs[above].first <= runs[below].end {
                let a = Self.root(of: above, in: runs)
                let b = Self.root(of: below, in: runs)
                // The earlier run becomes the root, so that a root comes before the runs that point to it.
                if a < b { runs[b].label = Int32(a) } else { runs[a].label = Int32(b) }
                above += 1
            }
        }
    }

    /// Returns the root of a run's component: the find of union-find, with path halving.
    private static func root(of index: Int, in runs: UnsafeMutablePointer<Run>) -> Int {
        var index = index
        while Int(runs[index].label) != index {
            runs[index].label = runs[Int(runs[index].label)].label
            index = Int(runs[index].label)
        }
        return index
    }

    /// Numbers the components by their first runs, and sorts the runs by component with a counting sort.
    private mutating func sortByComponent(_ count: Int) {
        self.runs.grow(to: max(count, 1), keeping: count)
        self.sortedRuns.reserve(max(count, 1))
        self.starts.reserve(count + 2)
        let (runs, sortedRuns, starts) = (self.runs.base, self.sortedRuns.base, self.starts.base)
        var components = 0
        for index in 0..<count {
            if Int(runs[index].label) == index {
                runs[index].label = Int32(components)
                components += 1
            } else {
                // Its root came before it and has its number already, as has every run between them.
                runs[index].label = runs[Int(runs[index].label)].label
            }
        }
        // Sizes are counted two places on: `starts[c + 1]` then is the cursor of component `c`, and ends as the next one's start.
        starts.update(repeating: 0, count: components + 2)
        for index in 0..<count { starts[Int(runs[index].label) + 2] += 1 }
        for component in 0..<components { starts[component + 2] += starts[component + 1] }
        for index in 0..<count {
            let component = Int(runs[index].label)
            sortedRuns[Int(starts[component + 1])] = runs[index]
            starts[component + 1] += 1
        }
        self.componentCount = components
    }
}
