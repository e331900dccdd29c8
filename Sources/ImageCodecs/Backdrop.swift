/// Backdrop for pictures with transparency: the gray on which the visible pixels have most contrast.
///
/// The intended background is unknown. Most pictures were made for white, which is used unless content vanishes on it.
/// White subtitles vanish on white, and a logo with light and dark parts is complete only on gray.
enum Backdrop {
    /// Candidate grays; the first is the default.
    private static let grays: [UInt8] = [255, 0, 128, 64, 192]

    /// Share of the visible pixels that may vanish, such as edges that editors leave around letters.
    private static let vanishingShare = 0.04

    /// Contrast beyond which text gets no easier to read.
    private static let sufficientContrast = 112

    /// Contrast that another gray must gain over white.
    private static let gainOverWhite = 24

    /// Maximum share of transparent pixels in a page, or in a button with round corners.
    private static let cornerShare = 0.05

    /// Alpha from which a pixel counts as opaque.
    private static let opaqueAlpha: UInt8 = 250

    /// Maximum distance from a transparent pixel at which a pixel may belong to a letter rather than a panel.
    private static let letterDistance: UInt8 = 12

    /// Chooses the backdrop of a picture.
    ///
    /// - Parameters:
    ///   - samples: Rows of pixels, each with its colour channels and then alpha.
    ///   - width: Pixels in a row.
    ///   - channels: 4 for blue, green, red and alpha, 2 for gray and alpha.
    /// - Returns: Its gray level.
    static func gray(for samples: [UInt8], width: Int, channels: Int) -> UInt8 {
        let count = samples.count / channels
        let clear = (0..<count).count { samples[$0 * channels + channels - 1] < Self.opaqueAlpha }
        guard Double(clear) > Self.cornerShare * Double(count) else { return Self.grays[0] }
        let levels = Self.levels(of: samples, width: width, channels: channels)
        let total = levels.reduce(0, +)
        guard total > 0 else { return Self.grays[0] }
        var best = (
            gray: Self.grays[0],
            difference: Self.difference(from: Self.grays[0], in: levels, of: total) + Self.gainOverWhite
        )
        for gray in Self.grays.dropFirst() {
            let difference = Self.difference(from: gray, in: levels, of: total)
            if difference > best.difference { best = (gray, difference) }
        }
        return best.gray
    }

    /// Contrast with `gray` of all but the share that may vanish, capped at ``sufficientContrast``.
    private static func difference(from gray: UInt8, in levels: [Double], of total: Double) -> Int {
        var lost = 0.0
        for difference in 0..<Self.sufficientContrast {
            for level in Set([Int(gray) - difference, Int(gray) + difference]) where levels.indices.contains(level) {
                lost += levels[level]
            }
            if lost > Self.vanishingShare * total { return difference }
        }
        return Self.sufficientContrast
    }

    /// Weighted histogram of the gray levels near transparent pixels.
    ///
    /// A pixel's weight is the square of its alpha: the edges of letters, often of another colour, hardly show.
    private static func levels(of samples: [UInt8], width: Int, channels: Int) -> [Double] {
        let distances = Self.distances(of: samples, width: width, channels: channels)
        var levels = [Double](repeating: 0, count: 256)
        for pixel in distances.indices where distances[pixel] <= Self.letterDistance {
            let start = pixel * channels
            let alpha = Double(samples[start + channels - 1])
            guard alpha > 0 else { continue }
            let level =
                channels == 2
                ? Int(samples[start])
                // ITU-R BT.601, in 1/256.
                : (Int(samples[start]) * 29 + Int(samples[start + 1]) * 150 + Int(samples[start + 2]) * 77) >> 8
            levels[level] += alpha * alpha
        }
        return levels
    }

    /// City-block distance from each pixel to the nearest transparent one, capped just beyond the maximum.
    private static func distances(of samples: [UInt8], width: Int, channels: Int) -> [UInt8] {
        let count = samples.count / channels
        let far = Self.letterDistance + 1
        var distances = [UInt8](repeating: far, count: count)
        for row in stride(from: 0, to: count, by: width) {
            var left = far
            for pixel in row..<row + width {
                let isClear = samples[pixel * channels + channels - 1] < Self.opaqueAlpha
                let above = row > 0 ? distances[pixel - width] : far
                left = isClear ? 0 : min(far, min(left, above) + 1)
                distances[pixel] = left
            }
        }
        for row in stride(from: count - width, through: 0, by: -width) {
            var right = far
            for pixel in (row..<row + width).reversed() {
                let below = row + width < count ? distances[pixel + width] : far
                right = min(distances[pixel], min(right, below) + 1)
                distances[pixel] = right
            }
        }
        return distances
    }
}
