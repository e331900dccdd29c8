internal import TextModel
internal import TextRecognition

/// The pixels of a line as they were when it was read, to find it again by.
struct LinePatch {
    let width: Int
    let height: Int
    /// Row by row, straightened.
    let values: [UInt8]
    /// The same at half the size.
    let coarse: [UInt8]
    /// From the patch to the frame it was taken from.
    let place: Affine

    /// Rows of the patches of large and of small lines.
    private static let heights = 8...32
    private static let mostColumns = 1600

    /// Takes the pixels in and closely around `box`.
    init(_ box: Quad, in plane: borrowing GrayPlane) {
        let (along, across) = (box.topLeft.distance(to: box.topRight), box.topLeft.distance(to: box.bottomLeft))
        let height = max(Self.heights.lowerBound, min(Self.heights.upperBound, Int(across.isFinite ? across : 0) + 2))
        let scale = Float(height) / max(across + 2, 1)
        let width = max(8, min(Self.mostColumns, Int(min(1e6, (along + 2) * scale))))
        // Even sides, which halve without a rest.
        self.height = height & ~1
        self.width = width & ~1
        // A pixel more on each side: letters end where their surroundings begin.
        let (ux, uy) = (
            (box.topRight.x - box.topLeft.x) / max(along, 1), (box.topRight.y - box.topLeft.y) / max(along, 1)
        )
        let (vx, vy) = (
            (box.bottomLeft.x - box.topLeft.x) / max(across, 1), (box.bottomLeft.y - box.topLeft.y) / max(across, 1)
        )
        func moved(_ point: Point, u: Float, v: Float) -> Point {
            Point(x: point.x + ux * u + vx * v, y: point.y + uy * u + vy * v)
        }
        self.place = Affine(
            width: Float(self.width),
            height: Float(self.height),
            to: Quad(
                topLeft: moved(box.topLeft, u: -1, v: -1),
                topRight: moved(box.topRight, u: 1, v: -1),
                bottomRight: moved(box.bottomRight, u: 1, v: 1),
                bottomLeft: moved(box.bottomLeft, u: -1, v: 1)
            )
        )
        var values = [UInt8](repeating: 0, count: self.width * self.height)
        for y in 0..<self.height {
            for x in 0..<self.width {
                let point = self.place(Float(x) + 0.5, Float(y) + 0.5)
                values[y * self.width + x] = UInt8(plane.clampedValue(point.x - 0.5, point.y - 0.5) + 0.5)
            }
        }
        self.values = values
        let (halfWidth, halfHeight) = (self.width / 2, self.height / 2)
        var coarse = [UInt8](repeating: 0, count: halfWidth * halfHeight)
        for y in 0..<halfHeight {
            for x in 0..<halfWidth {
                let upper = 2 * y * self.width + 2 * x
                let sum =
                    Int(values[upper]) + Int(values[upper + 1]) + Int(values[upper + self.width])
                    + Int(values[upper + self.width + 1])
                coarse[y * halfWidth + x] = UInt8((sum + 2) / 4)
            }
        }
        self.coarse = coarse
    }
}
