/// Which pixels of a row (or column) make up each pixel of the resized row, and with what weight.
///
/// The filter is a triangle of one source pixel's half-width where the picture grows and of one target pixel's where it
/// shrinks: bilinear interpolation, and an antialiased reduction.
struct ResizeFilter {
    let sourceCount: Int
    let targetCount: Int
    /// Weights of one target pixel; ``weights`` holds as many for each.
    let tapCount: Int
    /// The first source pixel of each target pixel.
    let starts: [Int32]
    /// `tapCount` weights for each target pixel, which sum to 1.
    let weights: [Float]

    init(from sourceCount: Int, to targetCount: Int) {
        self.sourceCount = sourceCount
        self.targetCount = targetCount
        let scale = Float(sourceCount) / Float(targetCount)
        let support = max(1, scale)
        let taps = min(sourceCount, Int((2 * support).rounded(.up)))
        var starts = [Int32](repeating: 0, count: targetCount)
        var weights = [Float](repeating: 0, count: targetCount * taps)
        for target in 0..<targetCount {
            let centre = (Float(target) + 0.5) * scale - 0.5
            let first = Int((centre - support).rounded(.up))
            let start = max(0, min(first, sourceCount - taps))
            starts[target] = Int32(start)
            var sum: Float = 0
            for tap in 0..<taps {
                // Edge pixels stand in for what lies beyond them.
                let weight = max(0, 1 - abs(Float(start + tap) - centre) / support)
                weights[target * taps + tap] = weight
                sum += weight
            }
            for tap in 0..<taps { weights[target * taps + tap] /= sum }
        }
        self.tapCount = taps
        self.starts = starts
        self.weights = weights
    }
}
