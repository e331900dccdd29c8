/// A probability map of a region: for each pixel of the scaled region, how likely it shows text.
///
/// A view of memory that it does not own.
struct ProbabilityMap {
    /// The probability of the top-left pixel.
    let base: UnsafePointer<Float>
    /// The number of columns.
    let width: Int
    /// The number of rows.
    let height: Int
    /// The distance from a pixel to the one below it, in pixels.
    let stride: Int

    /// Returns the mean probability of a component's pixels.
    func mean(of runs: UnsafeBufferPointer<ComponentLabeler.Run>) -> Float {
        var sum: Float = 0
        var count = 0
        for run in runs {
            let row = self.base + Int(run.row) * self.stride
            for x in Int(run.first)..<Int(run.end) { sum += row[x] }
            count += Int(run.end - run.first)
        }
        return count > 0 ? sum / Float(count) : 0
    }
}
