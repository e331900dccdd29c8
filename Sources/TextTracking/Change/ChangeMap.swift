internal import TextRecognition

/// Change map of two frames of one size, in cells of 8 x 8 pixels.
///
/// A cell has changed when the sum of absolute differences in any 4 x 4 of its pixels exceeds what noise explains. On a
/// thumbnail thin strokes would vanish, in a mean over the cell small ones. Noise is estimated from the frames themselves, for
/// each class of texture apart: a camera clips it where paper is white, and JPEG adds to it around letters. As with
/// hysteresis there are two thresholds: noise exceeds the lower one in one cell of ten thousand, hardly ever in two side by
/// side, so a cell without such a neighbour must exceed the higher one.
struct ChangeMap {
    /// Side of a cell in pixels.
    static let cell = 8
    /// Side of the windows in which differences are summed, in pixels.
    private static let window = Self.cell / 2
    /// Number of values that a window's sum of absolute differences can have.
    private static let sumCount = Self.window * Self.window * Int(UInt8.max) + 1
    /// Number of texture classes, each with twice the texture of the one before.
    private static let classCount = 14

    private enum Tuning {
        /// Least mean gradient of a textured cell, in steps of brightness from pixel to pixel; chosen by eye.
        static let minGradient: UInt16 = 8
        /// Least threshold of a window's sum, whatever the noise; chosen by eye.
        static let minThreshold = 72
        /// Threshold of a window's sum beside another changed cell, in medians of the noise; chosen by eye.
        static let connectedFactor = 3
        /// Threshold of a window's sum in a cell without changed neighbours, in medians of the noise.
        ///
        /// With 3, eight streets before a fixed camera had 2.42 ids a word and 0.895 of the words of single frames, with 5 1.09
        /// and 0.943 (streams log, *Noise, single characters and duplicated words*).
        static let isolatedFactor = 5
        /// Amount of a threshold beyond these medians; chosen by eye.
        static let thresholdOffset = 16
        /// Largest median of the noise, beyond which plain cells cannot be separated from changed ones; chosen by eye.
        static let maxNoise = 80
        /// Threshold of a window's sum in a cell that has changed faintly, in medians of the calm noise; chosen by eye.
        static let faintFactor = 2
        /// Least threshold of a window's sum in a cell that has changed faintly: a step of brightness a pixel; chosen by eye.
        static let minFaintThreshold = 16
        /// Part of the calm noise by which it rises from frame to frame at most; chosen by eye.
        static let calmRiseDivisor = 8
        /// Least number of cells of a class that show how noisy it is; chosen by eye.
        static let minCells: Int32 = 48
    }

    private(set) var columns = 0
    private(set) var rows = 0
    /// Largest sum of absolute differences in a window of each cell.
    private var sums: [UInt16] = []
    /// Changed cells, row by row.
    private(set) var isChanged: [Bool] = []
    /// Number of changed cells.
    private(set) var changedCount = 0
    /// Number of textured cells in the earlier frame.
    private(set) var texturedCount = 0
    /// Whether no pixel differs.
    private(set) var isIdentical = false
    /// Sums of absolute differences of the columns of a row of windows.
    private var columnSums: [UInt16] = []
    /// Texture of each cell of the earlier frame: the sum of gradients along every other row.
    private var textures: [UInt16] = []
    /// Sums of gradients of the columns of a row of windows.
    private var gradients: [UInt16] = []
    /// Number of cells of each texture class with each sum.
    private var histogram: [Int32] = []
    /// Noise of each texture class in calm frames: the median sum, which a frame that changes as a whole hardly raises.
    private var calmNoise = [Int?](repeating: nil, count: Self.classCount)
    /// Thresholds of each texture class.
    private var thresholds = [(connected: UInt16, isolated: UInt16)](repeating: (0, 0), count: Self.classCount)

    /// Memory of cells, columns and histogram, in bytes.
    var byteCount: Int {
        let cells = self.sums.count + self.textures.count + self.columnSums.count + self.gradients.count
        return cells * MemoryLayout<UInt16>.stride + self.isChanged.count
            + self.histogram.count * MemoryLayout<Int32>.stride
    }

    /// Compares `later` with `earlier` after the change of brightness between them.
    mutating func compare(
        _ earlier: borrowing GrayPlane,
        _ later: borrowing GrayPlane,
        brightness: Brightness
    ) {
        let (width, height) = (later.width, later.height)
        self.resize(width: width, height: height)
        for top in stride(from: 0, to: height, by: Self.window) {
            // Those beyond the width too, which may hold sums of a wider frame.
            for x in self.columnSums.indices {
                self.columnSums[x] = 0
                self.gradients[x] = 0
            }
            let first = earlier.base + top * width
            self.gradients.withUnsafeMutableBufferPointer { sums in
                guard let sums = sums.baseAddress else { return }
                for row in stride(from: 0, to: min(Self.window, height - top), by: 2) {
                    Self.add(from: first + row * width, to: first + row * width + 1, width: width - 1, into: sums)
                }
            }
            self.columnSums.withUnsafeMutableBufferPointer { sums in
                guard let sums = sums.baseAddress else { return }
                for y in top..<min(top + Self.window, height) {
                    let (before, after) = (earlier.base + y * width, later.base + y * width)
                    if brightness == .same {
                        Self.add(from: before, to: after, width: width, into: sums)
                    } else {
                        Self.add(from: before, to: after, width: width, brightness: brightness, into: sums)
                    }
                }
            }
            self.pool(row: top / Self.cell, width: width)
        }
        self.classify()
    }

    /// Forgets the noise of earlier frames, as another picture begins.
    mutating func forgetNoise() { self.calmNoise = [Int?](repeating: nil, count: Self.classCount) }

    /// Begins a comparison with all cells unchanged.
    mutating func begin(width: Int, height: Int) {
        self.resize(width: width, height: height)
        self.isIdentical = false
        self.changedCount = 0
        for index in self.isChanged.indices { self.isChanged[index] = false }
    }

    /// Marks a square of 2 x 2 cells as changed.
    mutating func mark(square column: Int, _ row: Int) {
        for row in 2 * row..<min(2 * row + 2, self.rows) {
            for column in 2 * column..<min(2 * column + 2, self.columns)
            where !self.isChanged[row * self.columns + column] {
                self.mark(row * self.columns + column)
            }
        }
    }

    /// Marks a cell that has not changed as changed.
    mutating func mark(_ index: Int) {
        self.isChanged[index] = true
        self.changedCount += 1
    }

    /// Marks a cell as unchanged.
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
        if self.histogram.isEmpty {
            self.histogram = [Int32](repeating: 0, count: Self.classCount * Self.sumCount)
        }
        // Whole cells, so that pooling needs no special case at the right edge.
        let width = self.columns * Self.cell
        if self.columnSums.count != width {
            self.columnSums = [UInt16](repeating: 0, count: width)
            self.gradients = self.columnSums
        }
    }

    /// Adds the absolute differences of two rows to the sums of their columns.
    private static func add(
        from before: UnsafePointer<UInt8>,
        to after: UnsafePointer<UInt8>,
        width: Int,
        into sums: UnsafeMutablePointer<UInt16>
    ) {
        for x in 0..<width {
            let (old, new) = (before[x], after[x])
            sums[x] &+= UInt16(max(old, new) &- min(old, new))
        }
    }

    /// Adds the absolute differences of two rows after a change of brightness.
    private static func add(
        from before: UnsafePointer<UInt8>,
        to after: UnsafePointer<UInt8>,
        width: Int,
        brightness: Brightness,
        into sums: UnsafeMutablePointer<UInt16>
    ) {
        let gain = UInt16(truncatingIfNeeded: brightness.gain)
        let offset = Int16(truncatingIfNeeded: brightness.offset)
        let brightest = Int16(UInt8.max)
        for x in 0..<width {
            let old = before[x]
            let scaled = Int16(truncatingIfNeeded: (UInt16(old) &* gain) >> Brightness.fractionBits)
            let expected = max(0, min(brightest, scaled &+ offset))
            // What was clipped may have been brighter, or darker, than it could show.
            let low = old < Brightness.darkest ? 0 : expected
            let high = old > Brightness.brightest ? brightest : expected
            let new = Int16(after[x])
            sums[x] &+= UInt16(truncatingIfNeeded: max(low &- new, new &- high, 0))
        }
    }

    /// Pools the sums of columns into those of windows and cells.
    private mutating func pool(row: Int, width: Int) {
        let start = row * self.columns
        for column in 0..<self.columns {
            let x = column * Self.cell
            var (left, right): (UInt16, UInt16) = (0, 0)
            for offset in 0..<Self.window {
                left &+= self.columnSums[x &+ offset]
                right &+= self.columnSums[x &+ Self.window &+ offset]
            }
            self.sums[start + column] = max(self.sums[start + column], left, right)
            var texture: UInt16 = 0
            for column in x..<x + Self.cell { texture &+= self.gradients[column] }
            self.textures[start + column] &+= texture
        }
    }

    /// Classifies cells as changed or unchanged by thresholds above the noise.
    private mutating func classify() {
        self.isIdentical = true
        self.texturedCount = 0
        for index in self.histogram.indices { self.histogram[index] = 0 }
        let minTexture = Tuning.minGradient * UInt16(Self.cell * Self.cell / 2)
        for index in self.sums.indices {
            let sum = min(Int(self.sums[index]), Self.sumCount - 1)
            if sum > 0 { self.isIdentical = false }
            if self.textures[index] > minTexture { self.texturedCount += 1 }
            self.histogram[Self.textureClass(of: self.textures[index]) * Self.sumCount + sum] += 1
        }
        self.changedCount = 0
        guard !self.isIdentical else {
            for index in self.isChanged.indices { self.isChanged[index] = false }
            return
        }
        var noise = 0
        for index in 0..<Self.classCount {
            // A class with too few cells takes the noise of the smoother one before it.
            if let median = self.median(of: index) { noise = min(median, Tuning.maxNoise) }
            let calm = self.calmNoise[index] ?? noise
            self.calmNoise[index] = min(noise, calm + 1 + calm / Tuning.calmRiseDivisor)
            let connected = Tuning.connectedFactor * noise + Tuning.thresholdOffset
            let isolated = Tuning.isolatedFactor * noise + Tuning.thresholdOffset
            self.thresholds[index].connected = UInt16(max(Tuning.minThreshold, connected))
            self.thresholds[index].isolated = UInt16(max(Tuning.minThreshold, isolated))
        }
        for row in 0..<self.rows {
            for column in 0..<self.columns {
                let index = row * self.columns + column
                let isChanged =
                    self.exceedsConnected(index) && (self.exceedsIsolated(index) || self.hasNeighbour(column, row))
                self.isChanged[index] = isChanged
                if isChanged { self.changedCount += 1 }
            }
        }
    }

    /// Whether a cell exceeds the threshold of cells beside another changed one.
    private func exceedsConnected(_ index: Int) -> Bool {
        self.sums[index] > self.thresholds[Self.textureClass(of: self.textures[index])].connected
    }

    /// Whether a cell exceeds the threshold of cells without changed neighbours.
    private func exceedsIsolated(_ index: Int) -> Bool {
        self.sums[index] > self.thresholds[Self.textureClass(of: self.textures[index])].isolated
    }

    /// Whether a cell has changed by more than the noise of calm frames explains.
    func exceedsFaint(_ index: Int) -> Bool {
        let noise = self.calmNoise[Self.textureClass(of: self.textures[index])] ?? 0
        return Int(self.sums[index]) > Tuning.faintFactor * noise + Tuning.minFaintThreshold
    }

    /// Whether one of the eight neighbours of a cell exceeds the threshold of connected cells.
    private func hasNeighbour(_ column: Int, _ row: Int) -> Bool {
        (max(0, row - 1)...min(self.rows - 1, row + 1)).contains { y in
            (max(0, column - 1)...min(self.columns - 1, column + 1)).contains { x in
                (x, y) != (column, row) && self.exceedsConnected(y * self.columns + x)
            }
        }
    }

    private static func textureClass(of texture: UInt16) -> Int {
        min(Self.classCount - 1, UInt16.bitWidth - texture.leadingZeroBitCount)
    }

    /// Median of the sums of a texture class; `nil` where it has too few cells.
    private func median(of textureClass: Int) -> Int? {
        let counts = self.histogram[textureClass * Self.sumCount..<(textureClass + 1) * Self.sumCount]
        let total = counts.reduce(0, +)
        guard total >= Tuning.minCells else { return nil }
        var seen: Int32 = 0
        for (sum, count) in zip(0..<Self.sumCount, counts) {
            seen += count
            if 2 * seen >= total { return sum }
        }
        return nil
    }
}
