/// Divisor of a JPEG's sides during decoding, which makes decoding cheaper.
enum JPEGReduction: Int32, CaseIterable {
    case none = 1
    case half = 2
    case quarter = 4
    case eighth = 8

    /// Chooses the largest divisor that keeps the sides at `scale`, or at half if they must be halved.
    init(minScale scale: Float, isHalved: Bool) {
        let strongest = Self.allCases.last { 1 / Float($0.rawValue) >= scale } ?? .none
        self = isHalved && strongest == .none ? .half : strongest
    }

    /// Size of the reduced picture; sides are rounded up.
    func size(of header: JPEGHeader) -> (width: Int, height: Int) {
        let divisor = Int(self.rawValue)
        return ((header.width + divisor - 1) / divisor, (header.height + divisor - 1) / divisor)
    }
}
