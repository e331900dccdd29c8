internal import TextModel

/// Affine map of the plane: the motion of a picture, or the place of a template in it.
struct Affine: Equatable {
    private enum Tuning {
        /// Least determinant of a map with an inverse: the factor by which it scales areas.
        ///
        /// Chosen by eye.
        static let minDeterminant: Float = 1e-6
    }

    // (x, y) goes to (a x + b y + tx, c x + d y + ty).
    var a: Float, b: Float, tx: Float
    var c: Float, d: Float, ty: Float

    /// Identity map: nothing moves.
    static let identity = Affine(a: 1, b: 0, tx: 0, c: 0, d: 1, ty: 0)

    init(a: Float, b: Float, tx: Float, c: Float, d: Float, ty: Float) {
        (self.a, self.b, self.tx) = (a, b, tx)
        (self.c, self.d, self.ty) = (c, d, ty)
    }

    /// Translation by `x` and `y`.
    init(x: Float, y: Float) { self.init(a: 1, b: 0, tx: x, c: 0, d: 1, ty: y) }

    /// Map of a rectangle of `width` x `height` at the origin to the parallelogram on three corners of `quad`.
    init(width: Float, height: Float, to quad: Quad) {
        self.init(
            a: (quad.topRight.x - quad.topLeft.x) / width,
            b: (quad.bottomLeft.x - quad.topLeft.x) / height,
            tx: quad.topLeft.x,
            c: (quad.topRight.y - quad.topLeft.y) / width,
            d: (quad.bottomLeft.y - quad.topLeft.y) / height,
            ty: quad.topLeft.y
        )
    }

    @inline(__always)
    func callAsFunction(_ x: Float, _ y: Float) -> Point {
        Point(x: self.a * x + self.b * y + self.tx, y: self.c * x + self.d * y + self.ty)
    }

    func callAsFunction(_ point: Point) -> Point { self(point.x, point.y) }

    func callAsFunction(_ quad: Quad) -> Quad { quad.mapCorners { self($0.x, $0.y) } }

    /// Composition: first this map, then `next`.
    func then(_ next: Affine) -> Affine {
        Affine(
            a: next.a * self.a + next.b * self.c,
            b: next.a * self.b + next.b * self.d,
            tx: next.a * self.tx + next.b * self.ty + next.tx,
            c: next.c * self.a + next.d * self.c,
            d: next.c * self.b + next.d * self.d,
            ty: next.c * self.tx + next.d * self.ty + next.ty
        )
    }

    /// Largest distance along each axis that the map puts between a square's centre and its other points.
    ///
    /// The square's sides are `radius` away from its centre.
    func reach(of radius: Float) -> Point {
        Point(x: radius * (abs(self.a) + abs(self.b)), y: radius * (abs(self.c) + abs(self.d)))
    }

    private var determinant: Float { self.a * self.d - self.b * self.c }

    /// Factor by which the map scales areas.
    var areaFactor: Float { abs(self.determinant) }

    /// Inverse map; `nil` for a singular one.
    var inverse: Affine? {
        let determinant = self.determinant
        guard abs(determinant) > Tuning.minDeterminant else { return nil }
        let (a, b) = (self.d / determinant, -self.b / determinant)
        let (c, d) = (-self.c / determinant, self.a / determinant)
        return Affine(
            a: a,
            b: b,
            tx: -(a * self.tx + b * self.ty),
            c: c,
            d: d,
            ty: -(c * self.tx + d * self.ty)
        )
    }

    /// Motion that this one is in a picture `factor` times as large.
    func scaled(by factor: Float) -> Affine {
        var map = self
        map.tx *= factor
        map.ty *= factor
        return map
    }

    /// Largest displacement of a corner of a `width` x `height` picture between this map and another, along an axis.
    func distance(from other: Affine, width: Float, height: Float) -> Float {
        [(0, 0), (width, 0), (0, height), (width, height)].reduce(0) { farthest, corner in
            let (p, q) = (self(corner.0, corner.1), other(corner.0, corner.1))
            return max(farthest, abs(p.x - q.x), abs(p.y - q.y))
        }
    }
}
