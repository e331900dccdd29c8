/// By what the sides of a JPEG are divided while it is decoded, which costs little beyond its codes.
enum JPEGReduction: Int32, CaseIterable {
    case none = 1
    case half = 2
    case quarter = 4
    case eighth = 8

    /// The strongest one that leaves the sides at `scale` of theirs at least, or at half of them where they are to be halved.
    init(leastScale scale: Float, isHalved: Bool) {
        let strongest = Self.allCases.last { 1 / Float($0.rawValue) >= scale } ?? .none
        self = isHalved && strongest == .none ? .half : strongest
    }

    /// What becomes of the sides; they are rounded up.
    func size(of header: JPEGHeader) -> (width: Int, height: Int) {
        let divisor = Int(self.rawValue)
        return ((header.width + divisor - 1) / divisor, (header.height + divisor - 1) / divisor)
    }
}
