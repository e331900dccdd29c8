internal import TextModel

/// Gain and offset of the brightness between two frames: `value * gain + offset`.
///
/// Cameras change their exposure all the time, and text does not change with it.
struct Brightness: Equatable {
    /// Fraction bits of the gain, a fixed-point number.
    static let fractionBits = 7
    /// Gain of 1 in fixed point.
    static let unit = 1 << Self.fractionBits
    /// Values beyond these may be clipped, so that they do not show how bright a place is; chosen by eye.
    static let (darkest, brightest): (UInt8, UInt8) = (5, 249)

    private enum Tuning {
        /// Gains of a change of exposure in fixed point, 0.5 to 1.8; beyond them a frame is another scene.
        ///
        /// Chosen by eye.
        static let gains = 64...230
        /// Distance between samples along both axes in pixels; chosen by eye.
        static let step = 13
        /// Largest residual of an inlier in each pass, in steps of brightness: what moves through the picture is an
        /// outlier.
        ///
        /// Chosen by eye.
        static let maxErrors = [48, 16, 16]
        /// Least number of inliers; chosen by eye.
        static let minCount: Double = 32
        /// Least variance of the earlier frame's samples, in squared steps of brightness; chosen by eye.
        static let minVariance: Double = 16
    }

    /// In fixed point; see ``fractionBits``.
    var gain: Int
    var offset: Int

    /// Identity: brightness does not change.
    static let same = Brightness(gain: Self.unit, offset: 0)

    private static let unclipped = Int(darkest)...Int(brightest)

    init(gain: Int, offset: Int) {
        self.gain = gain
        self.offset = offset
    }

    /// Estimates the change from `earlier` to `later`, which show the same picture but for some parts.
    ///
    /// Both are as noisy, so the gain is the ratio of their spreads: a regression would find it too small.
    ///
    /// - Parameters:
    ///   - earlier: The earlier frame.
    ///   - later: The later frame, of the same size.
    ///   - motion: The motion from the earlier to the later frame.
    init(from earlier: borrowing GrayPlane, to later: borrowing GrayPlane, motion: Affine = .identity) {
        self = .same
        guard let back = motion.inverse else { return }
        for maxError in Tuning.maxErrors {
            let samples = Samples(of: earlier, and: later, back: back, brightness: self, maxError: maxError)
            let count = samples.count
            let spread = count * samples.xx - samples.x * samples.x
            guard count >= Tuning.minCount, spread > count * count * Tuning.minVariance else { return }
            let slope = ((count * samples.yy - samples.y * samples.y) / spread).squareRoot()
            let gain = Int((slope * Double(Self.unit)).rounded())
            guard Tuning.gains.contains(gain) else {
                self = .same
                return
            }
            self.gain = gain
            self.offset = Int(((samples.y - Double(gain) / Double(Self.unit) * samples.x) / count).rounded())
        }
    }

    /// Value after the change of a value before it, not clamped.
    @inline(__always)
    func after(_ value: UInt8) -> Int { (Int(value) * self.gain) >> Self.fractionBits + self.offset }

    /// Value before the change of a value after it.
    func before(_ value: UInt8) -> UInt8 {
        let earlier = ((Int(value) - self.offset) * Self.unit + self.gain / 2) / self.gain
        return UInt8(max(0, min(Int(UInt8.max), earlier)))
    }

    /// Number and moments of the samples that a change of brightness explains.
    private struct Samples {
        var (count, x, y, xx, yy) = (0.0, 0.0, 0.0, 0.0, 0.0)

        init(
            of earlier: borrowing GrayPlane,
            and later: borrowing GrayPlane,
            back: Affine,
            brightness: Brightness,
            maxError: Int
        ) {
            let (gain, offset) = (brightness.gain, brightness.offset)
            for row in stride(from: Tuning.step / 2, to: later.height, by: Tuning.step) {
                let line = later.base + row * later.width
                for column in stride(from: Tuning.step / 2, to: later.width, by: Tuning.step) {
                    let place = back(Float(column) + 0.5, Float(row) + 0.5)
                    guard place.x >= 0, place.y >= 0, place.x < Float(later.width), place.y < Float(later.height)
                    else { continue }
                    let old = Int(earlier.base[Int(place.y) * later.width + Int(place.x)])
                    let new = Int(line[column])
                    guard Brightness.unclipped.contains(old), Brightness.unclipped.contains(new) else { continue }
                    guard abs((old * gain) >> Brightness.fractionBits + offset - new) < maxError else { continue }
                    self.count += 1
                    self.x += Double(old)
                    self.y += Double(new)
                    self.xx += Double(old * old)
                    self.yy += Double(new * new)
                }
            }
        }
    }
}
