internal import TextModel

extension ChangeMap {
    private enum Tuning {
        /// Distance of a changed pixel from the local extrema of its place, in steps of brightness; chosen by eye.
        static let tolerance = 24
        /// Changed pixels, of 64, in a changed square; chosen by eye.
        static let minPixels = 6
    }

    /// Side of a square of 2 x 2 cells, in pixels of the halved plane.
    private static let square = Self.cell
    /// Fraction bits of coordinates in fixed point.
    private static let fractionBits = 16

    /// Compares frames between which the camera moved.
    ///
    /// The halved frames are compared, and a pixel may show whatever stood within two pixels of its place: a blurred or a
    /// slightly displaced edge is no change, a new letter on plain ground is one. Text that changes in its place is detected by
    /// its template.
    ///
    /// - Parameters:
    ///   - extrema: The local extrema of the earlier frame's halved plane.
    ///   - later: The later frame's halved plane.
    ///   - size: The size of the whole frame.
    ///   - motion: The motion from the earlier to the later frame.
    ///   - brightness: The change of brightness from the earlier to the later frame.
    mutating func compare(
        _ extrema: borrowing LocalExtrema,
        _ later: borrowing GrayPlane,
        size: (width: Int, height: Int),
        motion: Affine,
        brightness: Brightness
    ) {
        self.begin(width: size.width, height: size.height)
        guard let back = motion.scaled(by: 1 / Pyramid.halfScale).inverse else { return }
        let side = Self.square
        for top in stride(from: 0, to: later.height - side + 1, by: side) {
            for left in stride(from: 0, to: later.width - side + 1, by: side) {
                let count = Self.changedCount(
                    in: later,
                    left: left,
                    top: top,
                    beyond: extrema,
                    back: back,
                    brightness: brightness
                )
                if count >= Tuning.minPixels { self.mark(square: left / side, top / side) }
            }
        }
    }

    /// Number of pixels of a square that lie beyond the local extrema of their places in the earlier frame.
    @inline(__always)
    private static func changedCount(
        in later: borrowing GrayPlane,
        left: Int,
        top: Int,
        beyond extrema: borrowing LocalExtrema,
        back: Affine,
        brightness: Brightness
    ) -> Int {
        let (width, height) = (later.width, later.height)
        let scale = Float(1 << Self.fractionBits)
        let (stepX, stepY) = (Int(back.a * scale), Int(back.c * scale))
        var count = 0
        for y in top..<top + Self.square {
            let start = back(Float(left) + 0.5, Float(y) + 0.5)
            var (fixedX, fixedY) = (Int(start.x * scale), Int(start.y * scale))
            let row = later.base + y * width + left
            for x in 0..<Self.square {
                let (column, line) = (fixedX >> Self.fractionBits, fixedY >> Self.fractionBits)
                fixedX += stepX
                fixedY += stepY
                guard column >= 0, line >= 0, column < width, line < height else { continue }
                let place = line &* width &+ column
                let (darkest, brightest) = (extrema.minimum.base[place], extrema.maximum.base[place])
                let low = brightness.after(darkest) - Tuning.tolerance
                let high = brightness.after(brightest) + Tuning.tolerance
                let value = Int(row[x])
                // What was clipped may have been brighter, or darker, than it could show.
                let isDarker = value < low && darkest >= Brightness.darkest
                let isBrighter = value > high && brightest <= Brightness.brightest
                if isDarker || isBrighter { count += 1 }
            }
        }
        return count
    }
}
