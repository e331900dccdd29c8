/// Brightest of the three tones of a line in which bright letters have a dark rim, such as subtitles.
///
/// In two tones, such as a reader of dark ink on paper divides a line into, the rim and the ground are one, or the rim alone is ink.
struct BrightestTone {
    /// Brightness up to which a pixel is paper.
    private let paper: Float
    /// Brightness from which a pixel is ink.
    private let ink: Float

    private enum Tuning {
        /// Intensities of a bin, of 256.
        static let binWidth = 4
        /// Share of the pixels above which the brightest tone is the ground.
        static let maxShare: Float = 0.5
        /// Intensities below the brightest tone in which its edges are gray (accuracy log, *Short, mixed and outlined lines in other
        /// scripts*).
        static let edge: Float = 15
        /// Share of the pixels that are not darker than the full tone (accuracy log, *Short, mixed and outlined lines in
        /// other scripts*).
        static let fullShare: Float = 0.03
    }

    /// Finds the tone; `nil` if it is the ground, or the line has one tone alone.
    init?(of pixels: UnsafeBufferPointer<UInt8>) {
        var counts = [Float](repeating: 0, count: 256 / Tuning.binWidth)
        for pixel in pixels { counts[Int(pixel) / Tuning.binWidth] += 1 / Float(pixels.count) }
        guard let split = Self.split(counts), counts[(split + 1)...].reduce(0, +) <= Tuning.maxShare else { return nil }
        var (full, above) = (counts.count - 1, counts[counts.count - 1])
        while above < Tuning.fullShare, full > split + 1 {
            full -= 1
            above += counts[full]
        }
        self.paper = Float((split + 1) * Tuning.binWidth) - Tuning.edge
        self.ink = Float(full * Tuning.binWidth)
    }

    /// Returns the shade of a pixel, with the tone as dark ink on white.
    func shade(of pixel: UInt8) -> UInt8 {
        let share = (Float(pixel) - self.paper) / max(1, self.ink - self.paper)
        return UInt8(255 * (1 - min(max(share, 0), 1)))
    }

    /// Last bin of the middle one of three classes with the greatest variance between them (Otsu, A Threshold Selection Method
    /// from Gray-Level Histograms, 1979); `nil` for fewer than three intensities.
    private static func split(_ counts: [Float]) -> Int? {
        // Shares and moments of all bins up to each.
        var (shares, moments): ([Float], [Float]) = ([0], [0])
        for (bin, count) in counts.enumerated() {
            shares.append(shares[bin] + count)
            moments.append(moments[bin] + Float(bin) * count)
        }
        func variance(_ bins: Range<Int>) -> Float {
            let share = shares[bins.upperBound] - shares[bins.lowerBound]
            let moment = moments[bins.upperBound] - moments[bins.lowerBound]
            return share > 0 ? moment * moment / share : -.infinity
        }
        var (best, split) = (-Float.infinity, Int?.none)
        for lower in 1..<counts.count - 1 {
            for upper in lower + 1..<counts.count {
                let sum = variance(0..<lower) + variance(lower..<upper) + variance(upper..<counts.count)
                // Of equal ones the last, next to the brightest tone.
                if sum >= best, sum > -.infinity { (best, split) = (sum, upper - 1) }
            }
        }
        return split
    }
}
