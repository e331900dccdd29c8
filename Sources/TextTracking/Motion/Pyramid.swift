/// A frame's brightness in full size, and halved as often as following its motion needs.
struct Pyramid: ~Copyable {
    var full = GrayPlane()
    private(set) var half = GrayPlane()
    private(set) var quarter = GrayPlane()
    private(set) var eighth = GrayPlane()
    private var isReduced = false

    /// How much memory it holds.
    var byteCount: Int {
        self.full.byteCount + self.half.byteCount + self.quarter.byteCount + self.eighth.byteCount
    }

    /// Says that ``full`` shows something else.
    mutating func fullChanged() { self.isReduced = false }

    /// Fills the smaller planes, unless that is done.
    mutating func reduce() {
        guard !self.isReduced else { return }
        self.half.halve(self.full)
        self.quarter.halve(self.half)
        self.eighth.halve(self.quarter)
        self.isReduced = true
    }
}
