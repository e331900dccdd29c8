internal import TextModel
internal import TextRecognition

/// A rectangle of sent pixels.
struct Box: Equatable {
    var left: Int, top: Int, right: Int, bottom: Int

    /// What lies around a quad, `margin` pixels farther out.
    init(around quad: Quad, margin: Int) {
        let bounds = quad.bounds
        self.left = Self.whole(bounds.left) - margin
        self.top = Self.whole(bounds.top) - margin
        self.right = Self.whole(bounds.right) + 1 + margin
        self.bottom = Self.whole(bounds.bottom) + 1 + margin
    }

    init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    var isEmpty: Bool { self.left >= self.right || self.top >= self.bottom }

    /// The box with its sides `margin` pixels farther out.
    func expanded(by margin: Int) -> Box {
        Box(left: self.left - margin, top: self.top - margin, right: self.right + margin, bottom: self.bottom + margin)
    }

    /// What scanning it costs, roughly: pixels, with those that part it from others.
    var cost: Int { (self.right - self.left + Self.gap) * (self.bottom - self.top + Self.gap) }

    private static let gap = 16

    func union(_ other: Box) -> Box {
        Box(
            left: min(self.left, other.left),
            top: min(self.top, other.top),
            right: max(self.right, other.right),
            bottom: max(self.bottom, other.bottom)
        )
    }

    func clipped(to other: Box) -> Box {
        Box(
            left: max(self.left, other.left),
            top: max(self.top, other.top),
            right: min(self.right, other.right),
            bottom: min(self.bottom, other.bottom)
        )
    }

    func contains(_ other: Box) -> Bool {
        self.left <= other.left && self.top <= other.top && self.right >= other.right && self.bottom >= other.bottom
    }

    func contains(_ point: Point) -> Bool {
        point.x >= Float(self.left) && point.x < Float(self.right) && point.y >= Float(self.top)
            && point.y < Float(self.bottom)
    }

    func touches(_ other: Box) -> Bool {
        self.left <= other.right && other.left <= self.right && self.top <= other.bottom && other.top <= self.bottom
    }

    /// Whether a line that was found in the box goes on beyond it, or ends just there, on both of its long sides, at two edges
    /// where `region` does not end.
    func cutsAcross(_ line: Quad, in region: Box) -> Bool {
        let line = line.lying
        let upper = self.edges(near: line.topLeft.towards(line.topRight, 0.5), in: region)
        let lower = self.edges(near: line.bottomLeft.towards(line.bottomRight, 0.5), in: region)
        return upper.contains { edge in lower.contains { $0 != edge } }
    }

    /// Which edges, from the left one clockwise, a point lies at or beyond, but for those of `region`.
    private func edges(near point: Point, in region: Box) -> [Int] {
        let isNear = [
            self.left > region.left && point.x < Float(self.left + Self.nearEdge),
            self.top > region.top && point.y < Float(self.top + Self.nearEdge),
            self.right < region.right && point.x > Float(self.right - Self.nearEdge),
            self.bottom < region.bottom && point.y > Float(self.bottom - Self.nearEdge),
        ]
        return isNear.indices.filter { isNear[$0] }
    }

    /// How near to an edge of a box a line ends that may go on beyond it, in pixels.
    private static let nearEdge = 4

    /// A coordinate that is a number and far from overflow, whatever a degenerate quad holds.
    private static func whole(_ value: Float) -> Int { value.isFinite ? Int(max(-1e6, min(1e6, value))) : 0 }
}

extension Quad {
    /// The corners of a box.
    init(_ box: Box) {
        let (left, top, right, bottom) = (Float(box.left), Float(box.top), Float(box.right), Float(box.bottom))
        self.init(
            topLeft: Point(x: left, y: top),
            topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom),
            bottomLeft: Point(x: left, y: bottom)
        )
    }
}

extension [Box] {
    /// Joins boxes that are hardly dearer to look at together than one by one; drops empty ones.
    mutating func merge() {
        self.removeAll(where: \.isEmpty)
        // Noise all over the frame is scanned as a whole; what it takes to find that out must not grow with its square.
        while self.count > Self.most { self[0] = self[0].union(self.removeLast()) }
        var index = 0
        while index < self.count {
            let other = self.indices.first { other in
                guard other != index else { return false }
                return Float(self[index].union(self[other]).cost)
                    <= Self.reserve * Float(self[index].cost + self[other].cost)
            }
            if let other {
                self[index] = self[index].union(self[other])
                self.remove(at: other)
                index = 0
            } else {
                index += 1
            }
        }
    }

    private static var most: Int { 32 }

    /// What it may cost more to see lines as a whole that would be cut between two boxes.
    private static var reserve: Float { 1.1 }
}
