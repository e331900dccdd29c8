internal import TextModel

/// Intervals of a line: projections on its upper side, as fractions of that side from the top-left corner on.
///
/// Fractions below 0 and above 1 lie on the line's continuation.
extension Quad {
    private enum Tuning {
        /// Share of the smaller of two quads from which one mostly covers the other; chosen by eye.
        static let minCoveredShare: Float = 0.5
        /// Largest height of a line's detection as a ratio to the line's: less than that of a page of a few lines.
        ///
        /// A page that a scan took for a single character replaced all its lines; from a ratio of 3, a part of an E was read as a C
        /// beside it (streams log, *Detections around lines*).
        static let maxHeightRatio: Float = 5
        /// Length by which a line is extended at either end: three of its heights, as of a short word, or half of it if that is more.
        ///
        /// Chosen by eye.
        static let margin: (heights: Float, share: Float) = (3, 0.5)
        /// Height by which it is extended above and below, as a share of its own.
        ///
        /// Chosen by eye.
        static let marginAcross: Float = 0.25
    }

    /// Length of the longer sides.
    var length: Float { max(self.width, self.height) }

    /// Whether it may be a detection of a line, and not of a page or a panel on which the line stands.
    func mayShow(_ line: Quad) -> Bool {
        min(self.width, self.height) < Tuning.maxHeightRatio * min(line.width, line.height)
    }

    /// Quad at the same place with a longer side as the upper one.
    var withLongSideUp: Quad { self.width < self.height ? self.turned(1) : self }

    /// Quad at the same place, turned by quarter turns so that its upper side is most nearly parallel to another's.
    func turned(towards other: Quad) -> Quad {
        let direction = other.upperSide
        func cosine(_ quad: Quad) -> Float {
            let side = quad.upperSide
            let length = (side.x * side.x + side.y * side.y).squareRoot()
            return length > 0 ? (side.x * direction.x + side.y * direction.y) / length : 0
        }
        return (1..<self.corners.count).map(self.turned).reduce(self) { cosine($0) < cosine($1) ? $1 : $0 }
    }

    /// Projection of a point on the upper side, as a fraction of it.
    func fraction(at point: Point) -> Float {
        let side = self.upperSide
        let square = side.x * side.x + side.y * side.y
        return square > 0 ? ((point.x - self.topLeft.x) * side.x + (point.y - self.topLeft.y) * side.y) / square : 0
    }

    /// Section of the line over an interval.
    func section(_ interval: ClosedRange<Float>) -> Quad {
        Quad(
            topLeft: self.topLeft.interpolated(to: self.topRight, interval.lowerBound),
            topRight: self.topLeft.interpolated(to: self.topRight, interval.upperBound),
            bottomRight: self.bottomLeft.interpolated(to: self.bottomRight, interval.upperBound),
            bottomLeft: self.bottomLeft.interpolated(to: self.bottomRight, interval.lowerBound)
        )
    }

    /// Line extended on all sides, mostly at its ends, where the rest of it may be.
    var surroundings: Quad {
        let line = self.withLongSideUp
        let along = max(Tuning.margin.heights * line.height / max(line.width, 1), Tuning.margin.share)
        let across = Tuning.marginAcross
        return line.section(-along...1 + along).turned(1).section(-across...1 + across).turned(3)
    }

    /// Interval that another quad covers.
    func interval(of other: Quad) -> ClosedRange<Float> {
        ClosedRange(around: other.corners.map(self.fraction))
    }

    /// Intervals that none of `others` covers.
    func intervals(outside others: [Quad]) -> [ClosedRange<Float>] {
        var free: [ClosedRange<Float>] = []
        var end: Float = 0
        for other in others.map(self.interval).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if other.lowerBound > end { free.append(end...min(1, other.lowerBound)) }
            end = max(end, other.upperBound)
            if end >= 1 { return free }
        }
        return free + [end...1]
    }

    /// Length of the longest interval along the longer sides that none of `others` covers, in pixels.
    ///
    /// Quads that do not mostly overlap the line lie beside it and cover nothing.
    func longestInterval(outside others: [Quad]) -> Float {
        let line = self.withLongSideUp
        let others = others.filter(self.mostlyOverlaps)
        return self.length * (line.intervals(outside: others).map { $0.upperBound - $0.lowerBound }.max() ?? 0)
    }

    /// Whether at least half of the smaller of two quads lies in the other.
    func mostlyOverlaps(_ other: Quad) -> Bool {
        self.intersectionArea(with: other) > Tuning.minCoveredShare * min(self.area, other.area)
    }

    /// Whether another quad has its centre between the long sides of this line, and overlaps it along them.
    func isCollinear(with other: Quad) -> Bool {
        let interval = self.interval(of: other)
        let across = self.turned(1).fraction(at: other.centre)
        return interval.lowerBound < 1 && interval.upperBound > 0 && across > 0 && across < 1
    }

    private var upperSide: Point { Point(x: self.topRight.x - self.topLeft.x, y: self.topRight.y - self.topLeft.y) }
}

extension [Quad] {
    /// Union of one or more quads on one line, with its upper side in the direction of `line`.
    func joined(along line: Quad) -> Quad {
        let longest = self.dropFirst().reduce(self[0]) { $0.length < $1.length ? $1 : $0 }.turned(towards: line)
        let bounds = self.map(longest.interval).flatMap { [$0.lowerBound, $0.upperBound] }
        return longest.section(ClosedRange(around: bounds))
    }
}

extension ClosedRange<Float> {
    /// Range from the least of some values to the greatest; empty at 0 where they are no numbers.
    init(around values: [Float]) {
        let (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
        self = least <= greatest ? least...greatest : 0...0
    }
}
