/// Image pyramid of a frame's brightness: full size, and halved three times for motion estimation.
struct Pyramid: ~Copyable {
    /// Sides of the pixels of each plane, in pixels of the full one.
    static let (halfScale, quarterScale, eighthScale): (Float, Float, Float) = (2, 4, 8)

    var full = GrayPlane()
    private(set) var half = GrayPlane()
    private(set) var quarter = GrayPlane()
    private(set) var eighth = GrayPlane()
    private var isReduced = false

    /// Memory that the planes hold, in bytes.
    var byteCount: Int {
        self.full.byteCount + self.half.byteCount + self.quarter.byteCount + self.eighth.byteCount
    }

    /// Marks the smaller planes as out of date, as ``full`` shows something else now.
    mutating func fullChanged() { self.isReduced = false }

    /// Fills the smaller planes unless they are up to date.
    mutating func reduce() {
        guard !self.isReduced else { return }
        self.half.halve(self.full)
        self.quarter.halve(self.half)
        self.eighth.halve(self.quarter)
        self.isReduced = true
    }
}
