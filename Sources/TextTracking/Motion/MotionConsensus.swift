internal import TextModel

/// Robust estimation of one motion from point correspondences, in sent pixels.
///
/// Random samples of two correspondences give similarities, of which the one with most inliers is refined to an affine map by
/// least squares (Fischler and Bolles, Random sample consensus, Communications of the ACM 24, 1981).
struct MotionConsensus {
    /// Correspondences, or inliers, that a motion needs at least; chosen by eye.
    static let minCount = 8

    private enum Tuning {
        /// Largest distance of an inlier from where the motion takes it, along either axis in pixels; chosen by eye.
        static let tolerance: Float = 2
        /// Number of random samples: more than enough where half of the correspondences are inliers.
        ///
        /// Chosen by eye.
        static let sampleCount = 60
        /// Refinements by least squares, each with the inliers of the one before; chosen by eye.
        static let refinementCount = 2
        /// Least distance between the two points of a sample in pixels; chosen by eye.
        static let minBaseline: Float = 50
        /// Bounds of the squared scale of a similarity; chosen by eye.
        static let squaredScales: ClosedRange<Float> = 0.5...2
        /// Least root mean square distance of the points from their mean in pixels; chosen by eye.
        static let minSpread: Double = 50
        /// Least determinant of the points' covariance as a share of its squared trace: less is a row of points.
        ///
        /// Chosen by eye.
        static let minDeterminant = 0.01
    }

    /// Point of the keyframe, and where it lies in the current frame.
    struct Correspondence {
        var from: Point
        var to: Point
    }

    private(set) var correspondences: [Correspondence] = []

    /// Removes all correspondences.
    mutating func removeAll() { self.correspondences.removeAll(keepingCapacity: true) }

    /// Adds a correspondence.
    mutating func add(from: Point, to: Point) {
        self.correspondences.append(Correspondence(from: from, to: to))
    }

    /// Motion with which at least half of the correspondences agree; `nil` where there is none.
    func motion() -> Affine? {
        var random = LinearCongruentialGenerator()
        var best: (count: Int, motion: Affine)?
        for _ in 0..<Tuning.sampleCount {
            let first = self.correspondences[random.next(below: self.correspondences.count)]
            let second = self.correspondences[random.next(below: self.correspondences.count)]
            guard let motion = Self.similarity(first, second) else { continue }
            let count = self.correspondences.count { Self.isInlier($0, motion) }
            if count > best?.count ?? 0 { best = (count, motion) }
        }
        guard let best, best.count >= Self.minCount, 2 * best.count >= self.correspondences.count else { return nil }
        var motion = best.motion
        for _ in 0..<Tuning.refinementCount {
            guard let refined = Self.affine(self.correspondences.filter { Self.isInlier($0, motion) }) else { break }
            motion = refined
        }
        return motion
    }

    private static func isInlier(_ correspondence: Correspondence, _ motion: Affine) -> Bool {
        let predicted = motion(correspondence.from)
        return abs(predicted.x - correspondence.to.x) < Tuning.tolerance
            && abs(predicted.y - correspondence.to.y) < Tuning.tolerance
    }

    /// Similarity through two correspondences: rotation, scale and translation.
    private static func similarity(_ first: Correspondence, _ second: Correspondence) -> Affine? {
        let (dx, dy) = (second.from.x - first.from.x, second.from.y - first.from.y)
        let (ex, ey) = (second.to.x - first.to.x, second.to.y - first.to.y)
        let square = dx * dx + dy * dy
        guard square > Tuning.minBaseline * Tuning.minBaseline else { return nil }
        let (a, c) = ((dx * ex + dy * ey) / square, (dx * ey - dy * ex) / square)
        guard Tuning.squaredScales.contains(a * a + c * c) else { return nil }
        return Affine(
            a: a,
            b: -c,
            tx: first.to.x - a * first.from.x + c * first.from.y,
            c: c,
            d: a,
            ty: first.to.y - c * first.from.x - a * first.from.y
        )
    }

    /// Affine map that fits the correspondences by least squares.
    private static func affine(_ correspondences: [Correspondence]) -> Affine? {
        guard correspondences.count >= Self.minCount else { return nil }
        let count = Double(correspondences.count)
        let meanX = correspondences.reduce(0) { $0 + Double($1.from.x) } / count
        let meanY = correspondences.reduce(0) { $0 + Double($1.from.y) } / count
        let meanU = correspondences.reduce(0) { $0 + Double($1.to.x) } / count
        let meanV = correspondences.reduce(0) { $0 + Double($1.to.y) } / count
        var (xx, xy, yy, xu, yu, xv, yv) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for correspondence in correspondences {
            let (x, y) = (Double(correspondence.from.x) - meanX, Double(correspondence.from.y) - meanY)
            let (u, v) = (Double(correspondence.to.x) - meanU, Double(correspondence.to.y) - meanV)
            xx += x * x
            xy += x * y
            yy += y * y
            xu += x * u
            yu += y * u
            xv += x * v
            yv += y * v
        }
        let determinant = xx * yy - xy * xy
        let trace = xx + yy
        // Points in one row leave the motion across it undetermined.
        guard determinant > Tuning.minDeterminant * trace * trace,
            trace > count * (Tuning.minSpread * Tuning.minSpread)
        else { return nil }
        let (a, b) = ((xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant)
        let (c, d) = ((xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant)
        return Affine(
            a: Float(a),
            b: Float(b),
            tx: Float(meanU - a * meanX - b * meanY),
            c: Float(c),
            d: Float(d),
            ty: Float(meanV - c * meanX - d * meanY)
        )
    }
}

/// Linear congruential generator with the constants of Knuth's MMIX, which draws the same samples in each run.
private struct LinearCongruentialGenerator {
    private static let multiplier: UInt64 = 6_364_136_223_846_793_005
    private static let increment: UInt64 = 1_442_695_040_888_963_407
    /// Number of low bits that are dropped: their periods are short.
    private static let droppedBits = 33

    /// Any seed will do; this one is the golden ratio's fraction.
    private var state: UInt64 = 0x9E37_79B9

    mutating func next(below bound: Int) -> Int {
        self.state = self.state &* Self.multiplier &+ Self.increment
        return Int(self.state >> Self.droppedBits) % bound
    }
}
