/// Local minimum and maximum of a plane: grayscale erosion and dilation by a square of 3 x 3 pixels.
struct LocalExtrema: ~Copyable {
    private(set) var minimum = GrayPlane()
    private(set) var maximum = GrayPlane()
    private var columnMinimum = GrayPlane()
    private var columnMaximum = GrayPlane()

    /// Memory that the planes hold, in bytes.
    var byteCount: Int {
        self.minimum.byteCount + self.maximum.byteCount + self.columnMinimum.byteCount + self.columnMaximum.byteCount
    }

    /// Filters a plane, first along columns and then along rows.
    mutating func filter(_ plane: borrowing GrayPlane) {
        let (width, height) = (plane.width, plane.height)
        self.minimum.resize(width: width, height: height)
        self.maximum.resize(width: width, height: height)
        self.columnMinimum.resize(width: width, height: height)
        self.columnMaximum.resize(width: width, height: height)
        for y in 0..<height {
            let middle = plane.base + y * width
            let above = plane.base + max(0, y - 1) * width
            let below = plane.base + min(height - 1, y + 1) * width
            let (low, high) = (self.columnMinimum.base + y * width, self.columnMaximum.base + y * width)
            for x in 0..<width {
                low[x] = min(above[x], middle[x], below[x])
                high[x] = max(above[x], middle[x], below[x])
            }
        }
        for y in 0..<height {
            let (lowRow, highRow) = (self.columnMinimum.base + y * width, self.columnMaximum.base + y * width)
            let (low, high) = (self.minimum.base + y * width, self.maximum.base + y * width)
            guard width > 2 else {
                low.update(from: lowRow, count: width)
                high.update(from: highRow, count: width)
                continue
            }
            for x in 1..<width - 1 {
                low[x] = min(lowRow[x &- 1], lowRow[x], lowRow[x &+ 1])
                high[x] = max(highRow[x &- 1], highRow[x], highRow[x &+ 1])
            }
            (low[0], high[0]) = (min(lowRow[0], lowRow[1]), max(highRow[0], highRow[1]))
            let last = width - 1
            (low[last], high[last]) = (min(lowRow[last - 1], lowRow[last]), max(highRow[last - 1], highRow[last]))
        }
    }
}
