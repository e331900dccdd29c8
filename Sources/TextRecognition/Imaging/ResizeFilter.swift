/// A separable resize filter of one axis: the source pixels of each target pixel, and their weights.
///
/// The kernel is a triangle (the tent filter) of one source pixel's half-width where the picture grows and of one target
/// pixel's where it shrinks: bilinear interpolation, and an antialiased reduction.
struct ResizeFilter {
    /// The number of source pixels.
    let sourceCount: Int
    /// The number of target pixels.
    let targetCount: Int
    /// The number of taps of each target pixel.
    let tapCount: Int
    /// The first source pixel of each target pixel.
    let starts: [Int32]
    /// The weights: a row of ``tapCount`` numbers, which sum to 1, for each target pixel.
    let weights: [Float]

    /// The filter from `sourceCount` pixels to `targetCount`.
    init(from sourceCount: Int, to targetCount: Int) {
        self.sourceCount = sourceCount
        self.targetCount = targetCount
        let scale = Float(sourceCount) / Float(targetCount)
        let support = max(1, scale)
        let taps = min(sourceCount, Int((2 * support).rounded(.up)))
        var starts = [Int32](repeating: 0, count: targetCount)
        var weights = [Float](repeating: 0, count: targetCount * taps)
        for target in 0..<targetCount {
            // The target pixel's centre, counted from the centre of the first source pixel.
            let centre = (Float(target) + 0.5) * scale - 0.5
            let first = Int((centre - support).rounded(.up))
            let start = max(0, min(first, sourceCount - taps))
            starts[target] = Int32(start)
            var sum: Float = 0
            for tap in 0..<taps {
                // What lies beyond the edge has no weight: the rest is divided by a smaller sum.
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
