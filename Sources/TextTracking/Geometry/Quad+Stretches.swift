internal import TextModel
internal import TextRecognition

/// Stretches of a line: what lies between two places along its upper side, reported as fractions of that side from the top-left
/// corner on. What lies before 0 or behind 1 would be on the line if it went on.
extension Quad {
    /// How long its longer sides are.
    var length: Float { max(self.width, self.height) }

    /// The same place with one of its longer sides as the upper one.
    var lying: Quad { self.width < self.height ? self.turned(1) : self }

    /// The same place with its corners so that its upper side runs, as nearly as it can, as that of another does.
    func turned(towards other: Quad) -> Quad {
        let direction = other.upperSide
        func likeness(_ quad: Quad) -> Float {
            let side = quad.upperSide
            let length = (side.x * side.x + side.y * side.y).squareRoot()
            return length > 0 ? (side.x * direction.x + side.y * direction.y) / length : 0
        }
        return (1..<4).map(self.turned).reduce(self) { likeness($0) < likeness($1) ? $1 : $0 }
    }

    /// How far along the line a point lies.
    func fraction(at point: Point) -> Float {
        let side = self.upperSide
        let square = side.x * side.x + side.y * side.y
        return square > 0 ? ((point.x - self.topLeft.x) * side.x + (point.y - self.topLeft.y) * side.y) / square : 0
    }

    /// What lies between two fractions.
    func part(_ stretch: ClosedRange<Float>) -> Quad {
        Quad(
            topLeft: self.topLeft.towards(self.topRight, stretch.lowerBound),
            topRight: self.topLeft.towards(self.topRight, stretch.upperBound),
            bottomRight: self.bottomLeft.towards(self.bottomRight, stretch.upperBound),
            bottomLeft: self.bottomLeft.towards(self.bottomRight, stretch.lowerBound)
        )
    }

    /// The stretch that another place covers.
    func stretch(of other: Quad) -> ClosedRange<Float> {
        ClosedRange(around: other.corners.map(self.fraction))
    }

    /// The stretches that lie on none of `others`.
    func stretches(outside others: [Quad]) -> [ClosedRange<Float>] {
        var free: [ClosedRange<Float>] = []
        var end: Float = 0
        for other in others.map(self.stretch).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if other.lowerBound > end { free.append(end...min(1, other.lowerBound)) }
            end = max(end, other.upperBound)
            if end >= 1 { return free }
        }
        return free + [end...1]
    }

    /// How long the longest stretch along the longer sides is that lies on none of `others`.
    ///
    /// What is not mostly on it lies beside it.
    func longestStretch(outside others: [Quad]) -> Float {
        let line = self.lying
        let others = others.filter(self.isMostly)
        return self.length * (line.stretches(outside: others).map { $0.upperBound - $0.lowerBound }.max() ?? 0)
    }

    /// Whether half its own surface lies on another place, or half of the other's on it.
    func isMostly(on other: Quad) -> Bool { self.intersectionArea(with: other) > 0.5 * min(self.area, other.area) }

    /// Whether another place lies on the line, over a stretch of it at least.
    func isLine(of other: Quad) -> Bool {
        let stretch = self.stretch(of: other)
        let across = self.turned(1).fraction(at: other.centre)
        return stretch.lowerBound < 1 && stretch.upperBound > 0 && across > 0 && across < 1
    }

    private var upperSide: Point { Point(x: self.topRight.x - self.topLeft.x, y: self.topRight.y - self.topLeft.y) }
}

extension [Quad] {
    /// Places on one line, at least one, as one place, whose upper side runs as that of `line` does.
    func joined(along line: Quad) -> Quad {
        let longest = self.dropFirst().reduce(self[0]) { $0.length < $1.length ? $1 : $0 }.turned(towards: line)
        return longest.part(ClosedRange(around: self.map(longest.stretch).flatMap { [$0.lowerBound, $0.upperBound] }))
    }
}

extension ClosedRange<Float> {
    /// From the least of some values to the greatest; nothing where they are no numbers.
    init(around values: [Float]) {
        let (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
        self = least <= greatest ? least...greatest : 0...0
    }
}

extension Point {
    /// What lies so far on the way to another point.
    func towards(_ other: Point, _ fraction: Float) -> Point {
        Point(x: self.x + (other.x - self.x) * fraction, y: self.y + (other.y - self.y) * fraction)
    }
}
