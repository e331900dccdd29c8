internal import TextModel

/// How the brightness of a frame follows from an earlier one: `value * gain + offset`.
///
/// Cameras change their exposure all the time, and text does not change with it.
struct Brightness: Equatable {
    /// In 1/128.
    var gain: Int
    var offset: Int

    static let same = Brightness(gain: 128, offset: 0)

    /// The most that exposure is taken to change; beyond it a frame is another scene.
    private static let gains = 64...230
    /// Values beyond these may be clipped: they do not show how bright a place is.
    static let darkest: UInt8 = 5
    static let brightest: UInt8 = 249
    /// Every so many-th pixel along both axes is asked.
    private static let step = 13

    private static let unclipped = Int(darkest)...Int(brightest)

    init(gain: Int, offset: Int) {
        self.gain = gain
        self.offset = offset
    }

    /// The change from `earlier` to `later`, which show the same picture but for some parts.
    ///
    /// Both are as noisy, so the gain is the ratio of their spreads: a regression would find it too small.
    ///
    /// - Parameters:
    ///   - earlier: The earlier frame.
    ///   - later: The later frame, of the same size.
    ///   - motion: Where places of the earlier one lie in the later one.
    init(from earlier: borrowing GrayPlane, to later: borrowing GrayPlane, motion: Affine = .identity) {
        self = .same
        guard let back = motion.inverse else { return }
        var (count, sumX, sumY, sumXX, sumYY) = (0.0, 0.0, 0.0, 0.0, 0.0)
        // After the first pass only pixels that its line explains count: what moves through the picture is no light.
        for pass in 0..<3 {
            let (gain, offset) = (self.gain, self.offset)
            (count, sumX, sumY, sumXX, sumYY) = (0, 0, 0, 0, 0)
            for y in stride(from: Self.step / 2, to: later.height, by: Self.step) {
                let row = later.base + y * later.width
                for x in stride(from: Self.step / 2, to: later.width, by: Self.step) {
                    let place = back(Float(x) + 0.5, Float(y) + 0.5)
                    guard place.x >= 0, place.y >= 0, place.x < Float(later.width), place.y < Float(later.height)
                    else { continue }
                    let (old, new) = (Int(earlier.base[Int(place.y) * later.width + Int(place.x)]), Int(row[x]))
                    guard Self.unclipped.contains(old), Self.unclipped.contains(new) else { continue }
                    let error = abs((old * gain) >> 7 + offset - new)
                    guard pass == 0 ? error < 48 : error < 16 else { continue }
                    count += 1
                    sumX += Double(old)
                    sumY += Double(new)
                    sumXX += Double(old * old)
                    sumYY += Double(new * new)
                }
            }
            let spread = count * sumXX - sumX * sumX
            guard count >= 32, spread > count * count * 16 else { return }
            let slope = ((count * sumYY - sumY * sumY) / spread).squareRoot()
            let gain128 = Int((slope * 128).rounded())
            guard Self.gains.contains(gain128) else {
                self = .same
                return
            }
            self.gain = gain128
            self.offset = Int(((sumY - Double(gain128) / 128 * sumX) / count).rounded())
        }
    }

    /// What became `value`.
    func before(_ value: UInt8) -> UInt8 {
        UInt8(max(0, min(255, ((Int(value) - self.offset) * 128 + self.gain / 2) / self.gain)))
    }
}
