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
    /// Every so many-th pixel along both axes is asked.
    private static let step = 13

    init(gain: Int, offset: Int) {
        self.gain = gain
        self.offset = offset
    }

    /// The change from `earlier` to `later`, which show the same picture but for some parts.
    ///
    /// Both are as noisy, so the gain is the ratio of their spreads: a regression would find it too small.
    init(from earlier: borrowing GrayPlane, to later: borrowing GrayPlane) {
        self = .same
        var (count, sumX, sumY, sumXX, sumYY) = (0.0, 0.0, 0.0, 0.0, 0.0)
        // After the first pass only pixels that its line explains count: what moves through the picture is no light.
        for pass in 0..<3 {
            let (gain, offset) = (self.gain, self.offset)
            (count, sumX, sumY, sumXX, sumYY) = (0, 0, 0, 0, 0)
            for y in stride(from: Self.step / 2, to: later.height, by: Self.step) {
                let (before, after) = (earlier.base + y * later.width, later.base + y * later.width)
                for x in stride(from: Self.step / 2, to: later.width, by: Self.step) {
                    let (old, new) = (Int(before[x]), Int(after[x]))
                    // A clipped pixel does not tell how bright it would be.
                    guard old > 4, old < 250, new > 4, new < 250 else { continue }
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

    /// What `value` became.
    @inline(__always)
    func callAsFunction(_ value: Float) -> Float { value * Float(self.gain) / 128 + Float(self.offset) }
}
