internal import TextRecognition

/// Where two frames of one size differ, in cells of 8 x 8 pixels.
///
/// Every pixel counts: a cell has changed when the absolute differences in any 4 x 4 of its pixels add up to more than
/// noise explains. On a thumbnail thin strokes would vanish, in a mean over the cell small ones. How much noise there is,
/// the frame itself shows, for smooth and for busy cells apart: a camera clips it where paper is white, and JPEG adds to it
/// around letters. In one cell of ten thousand noise gets beyond that, hardly ever in two side by side: a cell all by itself
/// must differ by more.
struct ChangeMap {
    /// The side of a cell in pixels.
    static let cell = 8

    private(set) var columns = 0
    private(set) var rows = 0
    /// The greatest sum of absolute differences in 4 x 4 pixels of each cell.
    private var sums: [UInt16] = []
    /// Whether a cell has changed.
    private(set) var isChanged: [Bool] = []
    /// How many have.
    private(set) var changedCount = 0
    /// How many cells of the earlier frame show more than a smooth surface.
    private(set) var busyCount = 0
    /// Whether not a single pixel differs.
    private(set) var isExact = false
    private var band: [UInt16] = []
    /// How busy the cells of the earlier frame are: the sum of steps from pixel to pixel in every other row.
    private var textures: [UInt16] = []
    private var steps: [UInt16] = []
    /// How many cells of each kind have each sum.
    private var histogram = [Int32](repeating: 0, count: textureCount * sumCount)
    /// For each kind of cell the sum above which a cell beside another such one has changed, and a cell by itself.
    private var thresholds = [(beside: UInt16, alone: UInt16)](repeating: (0, 0), count: textureCount)

    /// A cell is busy when its steps from pixel to pixel are greater in the mean.
    private static let busyStep: UInt16 = 8
    /// Kinds of cells, each twice as busy as the one before.
    private static let textureCount = 14
    /// Sums of 16 differences are 0...4080.
    private static let sumCount = 4081
    /// The least threshold, whatever the noise.
    private static let leastThreshold = 72
    /// Beyond this noise of 16 differences quiet cells cannot be reported from changed ones.
    private static let mostNoise = 80
    /// The least number of cells of a kind that shows how much noise it has.
    private static let leastCells: Int32 = 48

    /// Compares `later` with `earlier` as `brightness` would have made it.
    mutating func compare(
        _ earlier: borrowing GrayPlane,
        _ later: borrowing GrayPlane,
        brightness: Brightness
    ) {
        let (width, height) = (later.width, later.height)
        self.resize(width: width, height: height)
        for top in stride(from: 0, to: height, by: 4) {
            for x in 0..<width {
                self.band[x] = 0
                self.steps[x] = 0
            }
            let steps = earlier.base + top * width
            self.steps.withUnsafeMutableBufferPointer { sums in
                guard let sums = sums.baseAddress else { return }
                for row in stride(from: 0, to: min(4, height - top), by: 2) {
                    Self.add(from: steps + row * width, to: steps + row * width + 1, width: width - 1, into: sums)
                }
            }
            self.band.withUnsafeMutableBufferPointer { band in
                guard let band = band.baseAddress else { return }
                for y in top..<min(top + 4, height) {
                    let (before, after) = (earlier.base + y * width, later.base + y * width)
                    if brightness == .same {
                        Self.add(from: before, to: after, width: width, into: band)
                    } else {
                        Self.add(from: before, to: after, width: width, brightness: brightness, into: band)
                    }
                }
            }
            self.fold(row: top / Self.cell, width: width)
        }
        self.decide()
    }

    /// Starts a comparison in which nothing has changed so far.
    mutating func begin(width: Int, height: Int) {
        self.resize(width: width, height: height)
        self.isExact = false
        self.changedCount = 0
        for index in self.isChanged.indices { self.isChanged[index] = false }
    }

    /// Says that a square of 2 x 2 cells has changed.
    mutating func mark(square column: Int, _ row: Int) {
        for row in 2 * row..<min(2 * row + 2, self.rows) {
            for column in 2 * column..<min(2 * column + 2, self.columns)
            where !self.isChanged[row * self.columns + column] {
                self.isChanged[row * self.columns + column] = true
                self.changedCount += 1
            }
        }
    }

    /// Says that a cell has not changed after all.
    mutating func clear(_ index: Int) {
        if self.isChanged[index] { self.changedCount -= 1 }
        self.isChanged[index] = false
    }

    private mutating func resize(width: Int, height: Int) {
        self.columns = (width + Self.cell - 1) / Self.cell
        self.rows = (height + Self.cell - 1) / Self.cell
        let count = self.columns * self.rows
        if self.sums.count != count {
            self.sums = [UInt16](repeating: 0, count: count)
            self.textures = self.sums
            self.isChanged = [Bool](repeating: false, count: count)
        } else {
            for index in 0..<count {
                self.sums[index] = 0
                self.textures[index] = 0
            }
        }
        // Whole cells, so that folding needs no special case at the right edge.
        let bandWidth = self.columns * Self.cell
        if self.band.count != bandWidth {
            self.band = [UInt16](repeating: 0, count: bandWidth)
            self.steps = self.band
        }
    }

    private static func add(
        from before: UnsafePointer<UInt8>,
        to after: UnsafePointer<UInt8>,
        width: Int,
        into band: UnsafeMutablePointer<UInt16>
    ) {
        for x in 0..<width {
            let (old, new) = (before[x], after[x])
            band[x] &+= UInt16(max(old, new) &- min(old, new))
        }
    }

    private static func add(
        from before: UnsafePointer<UInt8>,
        to after: UnsafePointer<UInt8>,
        width: Int,
        brightness: Brightness,
        into band: UnsafeMutablePointer<UInt16>
    ) {
        let gain = UInt16(truncatingIfNeeded: brightness.gain)
        let offset = Int16(truncatingIfNeeded: brightness.offset)
        for x in 0..<width {
            let old = before[x]
            let expected = max(0, min(255, Int16(truncatingIfNeeded: (UInt16(old) &* gain) >> 7) &+ offset))
            // What was clipped may have been brighter, or darker, than it could show.
            let low = old < Brightness.darkest ? 0 : expected
            let high = old > Brightness.brightest ? 255 : expected
            let new = Int16(after[x])
            band[x] &+= UInt16(truncatingIfNeeded: max(low &- new, new &- high, 0))
        }
    }

    private mutating func fold(row: Int, width: Int) {
        let start = row * self.columns
        for column in 0..<self.columns {
            let x = column * Self.cell
            let left = self.band[x] &+ self.band[x &+ 1] &+ self.band[x &+ 2] &+ self.band[x &+ 3]
            let right = self.band[x &+ 4] &+ self.band[x &+ 5] &+ self.band[x &+ 6] &+ self.band[x &+ 7]
            self.sums[start + column] = max(self.sums[start + column], left, right)
            var texture: UInt16 = 0
            for step in x..<x + Self.cell { texture &+= self.steps[step] }
            self.textures[start + column] &+= texture
        }
    }

    /// Separates changed cells from noise.
    private mutating func decide() {
        self.isExact = true
        self.busyCount = 0
        for index in self.histogram.indices { self.histogram[index] = 0 }
        for index in self.sums.indices {
            let sum = min(Int(self.sums[index]), Self.sumCount - 1)
            if sum > 0 { self.isExact = false }
            if self.textures[index] > Self.busyStep * UInt16(Self.cell * Self.cell / 2) { self.busyCount += 1 }
            self.histogram[Self.kind(of: self.textures[index]) * Self.sumCount + sum] += 1
        }
        self.changedCount = 0
        guard !self.isExact else {
            for index in self.isChanged.indices { self.isChanged[index] = false }
            return
        }
        var noise = 0
        for kind in 0..<Self.textureCount {
            if let median = self.median(of: kind) { noise = min(median, Self.mostNoise) }
            self.thresholds[kind].beside = UInt16(max(Self.leastThreshold, 3 * noise + 16))
            self.thresholds[kind].alone = UInt16(max(Self.leastThreshold, 5 * noise + 16))
        }
        for row in 0..<self.rows {
            for column in 0..<self.columns {
                let index = row * self.columns + column
                let isChanged = self.differs(index) && (self.differsAlone(index) || self.hasNeighbour(column, row))
                self.isChanged[index] = isChanged
                if isChanged { self.changedCount += 1 }
            }
        }
    }

    /// Whether a cell has changed if one beside it has.
    private func differs(_ index: Int) -> Bool {
        self.sums[index] > self.thresholds[Self.kind(of: self.textures[index])].beside
    }

    /// Whether a cell has changed, whatever is beside it.
    private func differsAlone(_ index: Int) -> Bool {
        self.sums[index] > self.thresholds[Self.kind(of: self.textures[index])].alone
    }

    /// Whether one of the eight cells around a cell differs.
    private func hasNeighbour(_ column: Int, _ row: Int) -> Bool {
        (max(0, row - 1)...min(self.rows - 1, row + 1)).contains { y in
            (max(0, column - 1)...min(self.columns - 1, column + 1)).contains { x in
                (x, y) != (column, row) && self.differs(y * self.columns + x)
            }
        }
    }

    private static func kind(of texture: UInt16) -> Int {
        min(Self.textureCount - 1, UInt16.bitWidth - texture.leadingZeroBitCount)
    }

    /// The sum that half the cells of a kind stay below; `nil` where there are too few.
    private func median(of kind: Int) -> Int? {
        let counts = self.histogram[kind * Self.sumCount..<(kind + 1) * Self.sumCount]
        let total = counts.reduce(0, +)
        guard total >= Self.leastCells else { return nil }
        var seen: Int32 = 0
        for (sum, count) in zip(0..<Self.sumCount, counts) {
            seen += count
            if 2 * seen >= total { return sum }
        }
        return nil
    }
}
