internal import TextModel

/// The darkest and the brightest value around each pixel of a plane.
struct ValueRange: ~Copyable {
    fileprivate var low = GrayPlane()
    fileprivate var high = GrayPlane()
    private var lowRow = GrayPlane()
    private var highRow = GrayPlane()

    /// Takes the values in squares of 3 x 3 pixels.
    mutating func take(_ plane: borrowing GrayPlane) {
        let (width, height) = (plane.width, plane.height)
        self.low.resize(width: width, height: height)
        self.high.resize(width: width, height: height)
        self.lowRow.resize(width: width, height: height)
        self.highRow.resize(width: width, height: height)
        for y in 0..<height {
            let middle = plane.base + y * width
            let above = plane.base + max(0, y - 1) * width
            let below = plane.base + min(height - 1, y + 1) * width
            let (low, high) = (self.lowRow.base + y * width, self.highRow.base + y * width)
            for x in 0..<width {
                low[x] = min(above[x], middle[x], below[x])
                high[x] = max(above[x], middle[x], below[x])
            }
        }
        for y in 0..<height {
            let (lowRow, highRow) = (self.lowRow.base + y * width, self.highRow.base + y * width)
            let (low, high) = (self.low.base + y * width, self.high.base + y * width)
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

extension ChangeMap {
    /// A pixel beyond what stood around its place by more than this has changed.
    private static let tolerance = 24
    /// So many of the 64 pixels of a square must have changed.
    private static let leastPixels = 6

    /// Compares frames between which the camera moved.
    ///
    /// The halved frames are compared, and a pixel may show whatever stood within two pixels of its place: a blurred or a
    /// slightly displaced edge is no change, a new letter on plain ground is one. Text that changes in its place is reported by
    /// its own pixels.
    ///
    /// - Parameters:
    ///   - range: Of the earlier frame's halved plane.
    ///   - later: The later frame's halved plane.
    ///   - size: Of the whole frame.
    ///   - motion: From the earlier to the later frame.
    ///   - brightness: Likewise.
    mutating func compare(
        _ range: borrowing ValueRange,
        _ later: borrowing GrayPlane,
        size: (width: Int, height: Int),
        motion: Affine,
        brightness: Brightness
    ) {
        self.begin(width: size.width, height: size.height)
        guard let back = motion.scaled(by: 0.5).inverse else { return }
        let (width, height) = (later.width, later.height)
        // Fixed point, 16 bits behind the point.
        let (stepX, stepY) = (Int(back.a * 65536), Int(back.c * 65536))
        for top in stride(from: 0, to: height - 7, by: 8) {
            for left in stride(from: 0, to: width - 7, by: 8) {
                var count = 0
                for y in top..<top + 8 {
                    let start = back(Float(left) + 0.5, Float(y) + 0.5)
                    var x16 = Int(start.x * 65536)
                    var y16 = Int(start.y * 65536)
                    let row = later.base + y * width + left
                    for x in 0..<8 {
                        let (column, line) = (x16 >> 16, y16 >> 16)
                        x16 += stepX
                        y16 += stepY
                        guard column >= 0, line >= 0, column < width, line < height else { continue }
                        let place = line &* width &+ column
                        let (darkest, brightest) = (range.low.base[place], range.high.base[place])
                        let low = (Int(darkest) * brightness.gain) >> 7 + brightness.offset - Self.tolerance
                        let high = (Int(brightest) * brightness.gain) >> 7 + brightness.offset + Self.tolerance
                        let value = Int(row[x])
                        // What was clipped may have been brighter, or darker, than it could show.
                        let isDarker = value < low && darkest >= Brightness.darkest
                        let isBrighter = value > high && brightest <= Brightness.brightest
                        if isDarker || isBrighter { count += 1 }
                    }
                }
                if count >= Self.leastPixels { self.mark(square: left / 8, top / 8) }
            }
        }
    }
}
