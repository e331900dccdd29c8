/// Finds the connected components (eight neighbours) of what lies above a threshold in a map of numbers.
///
/// Each row is cut into runs, and a run is joined with those it touches in the row above: the two-pass algorithm of
/// Rosenfeld and Pfaltz (Journal of the ACM 13, 1966) on runs instead of pixels, with union-find for the equivalences.
struct ComponentLabeler: ~Copyable {
    /// A stretch of one row above the threshold.
    struct Run: BitwiseCopyable {
        var row: Int32
        var first: Int32
        /// One past the last pixel.
        var end: Int32
        /// While labelling: a run of the same component that came earlier; afterwards: the component's number.
        var label: Int32
    }

    private var runs = ScratchBuffer<Run>()
    private var sorted = ScratchBuffer<Run>()
    private var starts = ScratchBuffer<Int32>()
    private(set) var componentCount = 0
    /// The runs that were left out for their length, from top to bottom.
    private(set) var longRuns: [Run] = []

    /// Labels the components of a map.
    ///
    /// - Parameters:
    ///   - map: The first number of the first row.
    ///   - width: Numbers of a row.
    ///   - height: Rows.
    ///   - stride: From the start of one row to the start of the next, in numbers.
    ///   - threshold: What a number must exceed to belong to a component.
    ///   - longestRun: Longer runs are left out, as if they lay below the threshold.
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
            self.runs.grow(to: count + width / 2 + 1, keeping: count)
            count = Self.cut(
                map + row * stride,
                width: width,
                row: row,
                above: threshold,
                longestRun: longestRun,
                into: self.runs.base,
                count,
                &self.longRuns
            )
            Self.join(self.runs.base, previous, start..<count)
            previous = start..<count
        }
        self.group(count)
    }

    /// The runs of a component, from top to bottom and left to right.
    func runs(of component: Int) -> UnsafeBufferPointer<Run> {
        let start = Int(self.starts.base[component])
        let end = Int(self.starts.base[component + 1])
        return UnsafeBufferPointer(start: UnsafePointer(self.sorted.base) + start, count: end - start)
    }

    private static func cut(
        _ row: UnsafePointer<Float>,
        width: Int,
        row number: Int,
        above threshold: Float,
        longestRun: Int,
        into runs: UnsafeMutablePointer<Run>,
        _ start: Int,
        _ longRuns: inout [Run]
    ) -> Int {
        var count = start
        var x = 0
        let lanes = SIMD16<Float>(repeating: threshold)
        while x < width {
            // Most of a page is empty: sixteen numbers are passed over at a time.
            while x + 16 <= width {
                let values = UnsafeRawPointer(row + x).loadUnaligned(as: SIMD16<Float>.self)
                if any(values .> lanes) { break }
                x += 16
            }
            // Not `<=`: what is no number exceeds nothing and must be passed over too.
            while x < width, !(row[x] > threshold) { x += 1 }
            guard x < width else { break }
            let first = x
            while x < width, row[x] > threshold { x += 1 }
            let run = Run(row: Int32(number), first: Int32(first), end: Int32(x), label: Int32(count))
            guard x - first <= longestRun else {
                longRuns.append(run)
                continue
            }
            runs[count] = run
            count += 1
        }
        return count
    }

    private static func join(_ runs: UnsafeMutablePointer<Run>, _ above: Range<Int>, _ below: Range<Int>) {
        var upper = above.lowerBound
        for lower in below {
            while upper < above.upperBound, runs[upper].end < runs[lower].first { upper += 1 }
            var touching = upper
            while touching < above.upperBound, runs[touching].first <= runs[lower].end {
                let a = Self.root(runs, touching)
                let b = Self.root(runs, lower)
                // The earlier run becomes the root, so that roots come before what hangs on them.
                if a < b { runs[b].label = Int32(a) } else { runs[a].label = Int32(b) }
                touching += 1
            }
        }
    }

    private static func root(_ runs: UnsafeMutablePointer<Run>, _ index: Int) -> Int {
        var index = index
        while Int(runs[index].label) != index {
            runs[index].label = runs[Int(runs[index].label)].label
            index = Int(runs[index].label)
        }
        return index
    }

    private mutating func group(_ count: Int) {
        self.runs.grow(to: max(count, 1), keeping: count)
        self.sorted.reserve(max(count, 1))
        self.starts.reserve(count + 2)
        let (runs, sorted, starts) = (self.runs.base, self.sorted.base, self.starts.base)
        var components = 0
        for index in 0..<count {
            if Int(runs[index].label) == index {
                runs[index].label = Int32(components)
                components += 1
            } else {
                runs[index].label = runs[Int(runs[index].label)].label
            }
        }
        starts.update(repeating: 0, count: components + 2)
        for index in 0..<count { starts[Int(runs[index].label) + 2] += 1 }
        for component in 0..<components { starts[component + 2] += starts[component + 1] }
        for index in 0..<count {
            let component = Int(runs[index].label)
            sorted[Int(starts[component + 1])] = runs[index]
            starts[component + 1] += 1
        }
        self.componentCount = components
    }
}
