internal import TextModel
internal import TextRecognition

/// Template of a line: its pixels, rectified, when it was read.
struct LinePatch {
    private enum Tuning {
        /// Bounds of a template's height in pixels: larger lines are reduced to it.
        ///
        /// Chosen by eye.
        static let heights = 8...32
        /// Bounds of a template's width in pixels; chosen by eye.
        static let widths = 8...1600
        /// Pixels around the line on each side: letters end where their surroundings begin.
        ///
        /// Chosen by eye.
        static let margin: Float = 1
    }

    let width: Int
    let height: Int
    /// Row by row, rectified.
    let values: [UInt8]
    /// Pixels at half the size.
    let coarse: [UInt8]
    /// Map from the template to the frame it was taken from.
    let place: Affine
    /// Legibility of the line: the mean squared gradient of its pixels, in squared steps of brightness.
    ///
    /// It grows with contrast and with sharpness. Gradient energy is a common measure of focus (Pertuz et al., Analysis of focus
    /// measure operators for shape-from-focus, Pattern Recognition 46, 2013).
    let legibility: Float

    /// Memory of the pixels, in bytes.
    var byteCount: Int { self.values.count + self.coarse.count }

    /// Width in heights.
    var aspect: Float { Float(self.width) / Float(self.height) }

    /// Whether the template is as high as any.
    var isLarge: Bool { self.height == Tuning.heights.upperBound }

    /// Takes the pixels in and closely around `box`.
    init(_ box: Quad, in plane: borrowing GrayPlane) {
        let (along, across) = (box.topLeft.distance(to: box.topRight), box.topLeft.distance(to: box.bottomLeft))
        let (margin, heights, widths) = (Tuning.margin, Tuning.heights, Tuning.widths)
        let height = Int(clamping: across + 2 * margin, to: heights)
        let scale = Float(height) / max(across + 2 * margin, 1)
        let width = Int(clamping: (along + 2 * margin) * scale, to: widths)
        // Even sides can be halved.
        self.height = height & ~1
        self.width = width & ~1
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
                topLeft: moved(box.topLeft, u: -margin, v: -margin),
                topRight: moved(box.topRight, u: margin, v: -margin),
                bottomRight: moved(box.bottomRight, u: margin, v: margin),
                bottomLeft: moved(box.bottomLeft, u: -margin, v: margin)
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
        let gradients = LineMatcher.sharpness(values.map(Float.init), width: self.width, height: self.height)
        self.legibility = gradients / Float(values.count)
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
