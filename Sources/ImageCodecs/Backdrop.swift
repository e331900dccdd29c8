/// What a picture with transparency is laid on: the gray on which its visible pixels show.
///
/// Nobody knows what a picture was made to lie on. Most were made for white, which is kept while it does no harm; white
/// subtitles vanish on it, and a logo with light and dark parts shows whole on a gray alone.
enum Backdrop {
    /// The grays to choose from, the one that is kept first.
    private static let grays: [UInt8] = [255, 0, 128, 64, 192]

    /// The share of what is visible that may vanish: the seam that editors leave around letters, a spot in a logo.
    private static let lostShare = 0.04

    /// Differences beyond this are no better to read.
    private static let plainDifference = 112

    /// What another gray must win over white.
    private static let winOverWhite = 24

    /// A picture with no more to see through is that of a page or a button with round corners.
    private static let cornerShare = 0.05

    /// What shows less of what is behind it counts as opaque.
    private static let opaqueAlpha: UInt8 = 250

    /// Pixels from what is seen through up to which a pixel may be a part of a letter, and not of a panel with letters on it.
    private static let reach: UInt8 = 12

    /// The gray to lay a picture on.
    ///
    /// - Parameters:
    ///   - samples: Row by row, the colours of each pixel and behind them its alpha.
    ///   - width: Pixels in a row.
    ///   - channels: 4 for blue, green, red and alpha, 2 for gray and alpha.
    /// - Returns: Its level.
    static func gray(for samples: [UInt8], width: Int, channels: Int) -> UInt8 {
        let count = samples.count / channels
        let clear = (0..<count).count { samples[$0 * channels + channels - 1] < Self.opaqueAlpha }
        guard Double(clear) > Self.cornerShare * Double(count) else { return Self.grays[0] }
        let levels = Self.levels(of: samples, width: width, channels: channels)
        let total = levels.reduce(0, +)
        guard total > 0 else { return Self.grays[0] }
        var best = (
            gray: Self.grays[0],
            difference: Self.difference(from: Self.grays[0], in: levels, of: total) + Self.winOverWhite
        )
        for gray in Self.grays.dropFirst() {
            let difference = Self.difference(from: gray, in: levels, of: total)
            if difference > best.difference { best = (gray, difference) }
        }
        return best.gray
    }

    /// By how much all but the share that may be lost differs from `gray`, as far as that helps.
    private static func difference(from gray: UInt8, in levels: [Double], of total: Double) -> Int {
        var lost = 0.0
        for difference in 0..<Self.plainDifference {
            for level in Set([Int(gray) - difference, Int(gray) + difference]) where levels.indices.contains(level) {
                lost += levels[level]
            }
            if lost > Self.lostShare * total { return difference }
        }
        return Self.plainDifference
    }

    /// How much is seen of each level of gray, near what is seen through.
    ///
    /// A pixel counts by the square of its alpha: the seams of letters, which are often of another colour, hardly show.
    private static func levels(of samples: [UInt8], width: Int, channels: Int) -> [Double] {
        let distances = Self.distances(of: samples, width: width, channels: channels)
        var levels = [Double](repeating: 0, count: 256)
        for pixel in distances.indices where distances[pixel] <= Self.reach {
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

    /// The steps, along rows and columns, from each pixel to the next that is seen through; no more than one past the reach.
    private static func distances(of samples: [UInt8], width: Int, channels: Int) -> [UInt8] {
        let count = samples.count / channels
        let far = Self.reach + 1
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
