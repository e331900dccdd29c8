import TextModel

@testable import TextTracking

extension GrayPlane {
    /// Draws a pattern of slanted waves, in which no place looks like another one near it.
    ///
    /// - Parameter place: The place of the pattern that a point of the plane shows.
    mutating func drawWaves(at place: (Point) -> Point) {
        func wave(_ phase: Float) -> Float { abs(phase - 2 * (phase / 2).rounded(.down) - 1) }
        for y in 0..<self.height {
            for x in 0..<self.width {
                let point = place(Point(x: Float(x) + 0.5, y: Float(y) + 0.5))
                let fine = 90 * wave((point.x + 0.3 * point.y) / 17) + 70 * wave((point.y - 0.2 * point.x) / 13)
                self.base[y * self.width + x] = UInt8(fine + 60 * wave((point.x + point.y) / 41))
            }
        }
    }
}
