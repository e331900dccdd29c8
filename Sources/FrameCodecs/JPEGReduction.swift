/// By what the sides of a JPEG are divided while it is decoded, which costs little beyond its codes.
enum JPEGReduction: Int32, CaseIterable {
    case none = 1
    case half = 2
    case quarter = 4
    case eighth = 8

    /// The strongest one that leaves the sides at `scale` of theirs at least.
    init(leastScale scale: Float) {
        self = Self.allCases.last { 1 / Float($0.rawValue) >= scale } ?? .none
    }

    /// What becomes of the sides; they are rounded up.
    func size(of header: JPEGHeader) -> (width: Int, height: Int) {
        let divisor = Int(self.rawValue)
        return ((header.width + divisor - 1) / divisor, (header.height + divisor - 1) / divisor)
    }
}
