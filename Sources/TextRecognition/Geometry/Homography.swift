internal import TextModel

/// A homography: a projective map of the plane, which takes a rectangle to any convex quad.
///
/// Here it takes pixels of a rectified line to sent pixels. Both are rectangles, so that it turns, scales and moves alone, but for
/// rounding.
struct Homography {
    // (x, y) goes to ((a x + b y + c) / w, (d x + e y + f) / w) with w = g x + h y + 1.
    private(set) var a: Float, b: Float, c: Float
    private(set) var d: Float, e: Float, f: Float
    private(set) var g: Float, h: Float

    /// The homography from a rectangle of `width` x `height` at the origin to `quad`, corner by corner.
    ///
    /// The closed form is Heckbert's: Fundamentals of Texture Mapping and Image Warping (1989), section 2.2.3.
    init(width: Float, height: Float, to quad: Quad) {
        let (p0, p1, p2, p3) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        let sx = p0.x - p1.x + p2.x - p3.x
        let sy = p0.y - p1.y + p2.y - p3.y
        let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y)
        let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        // A degenerate quad has the determinant 0, and is mapped without perspective.
        let g = determinant == 0 ? 0 : (sx * dy2 - dx2 * sy) / determinant
        let h = determinant == 0 ? 0 : (dx1 * sy - sx * dy1) / determinant
        // Heckbert's map takes the unit square; its numbers are divided by the sides of the rectangle.
        self.a = (p1.x - p0.x + g * p1.x) / width
        self.b = (p3.x - p0.x + h * p3.x) / height
        self.c = p0.x
        self.d = (p1.y - p0.y + g * p1.y) / width
        self.e = (p3.y - p0.y + h * p3.y) / height
        self.f = p0.y
        self.g = g / width
        self.h = h / height
    }

    /// Returns the image of the point `x`, `y`.
    @inline(__always)
    func callAsFunction(_ x: Float, _ y: Float) -> Point {
        let w = 1 / (self.g * x + self.h * y + 1)
        return Point(x: (self.a * x + self.b * y + self.c) * w, y: (self.d * x + self.e * y + self.f) * w)
    }

    /// Returns the image of an axis-aligned rectangle.
    func quad(x0: Float, y0: Float, x1: Float, y1: Float) -> Quad {
        Quad(topLeft: self(x0, y0), topRight: self(x1, y0), bottomRight: self(x1, y1), bottomLeft: self(x0, y1))
    }
}
