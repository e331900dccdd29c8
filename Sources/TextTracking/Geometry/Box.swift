internal import TextModel
internal import TextRecognition

/// Axis-aligned rectangle in whole sent pixels.
struct Box: Equatable {
    fileprivate enum Tuning {
        /// Pixels between regions that are packed into one input of the detector, by which a region costs more.
        ///
        /// Chosen by eye.
        static let gap = 16
        /// Largest distance from a box's edge at which a line may be truncated by it, in pixels.
        ///
        /// Chosen by eye, with the rule that it serves (streams log, *Edges of moving objects*).
        static let edgeDistance = 4
        /// Coordinates, so that sums are far from overflow, whatever a degenerate quad holds.
        static let coordinates = -1_000_000...1_000_000
        /// Number of boxes beyond which each is joined with the next one, which is mostly beside it.
        ///
        /// Noise all over the frame is scanned as a whole, and finding that out must not take long: the time grows with the square
        /// of the number. Chosen by eye.
        static let maxCount = 256
        /// Largest cost of two boxes as one, as a ratio to their cost one by one.
        ///
        /// More than 1, since a line across both is then detected as a whole. Chosen by eye.
        static let maxCostRatio: Float = 1.1
    }

    var left: Int, top: Int, right: Int, bottom: Int

    /// Bounding box of a quad with its sides `margin` pixels farther out.
    init(around quad: Quad, margin: Int) {
        let bounds = quad.bounds
        func pixel(_ value: Float) -> Int { Int(clamping: value, to: Tuning.coordinates) }
        self.left = pixel(bounds.left) - margin
        self.top = pixel(bounds.top) - margin
        self.right = pixel(bounds.right) + 1 + margin
        self.bottom = pixel(bounds.bottom) + 1 + margin
    }

    init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    var isEmpty: Bool { self.left >= self.right || self.top >= self.bottom }

    /// Box with its sides `margin` pixels farther out.
    func expanded(by margin: Int) -> Box {
        Box(left: self.left - margin, top: self.top - margin, right: self.right + margin, bottom: self.bottom + margin)
    }

    /// Approximate cost of scanning the box in pixels, with the gap that separates it from others.
    var cost: Int { (self.right - self.left + Tuning.gap) * (self.bottom - self.top + Tuning.gap) }

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

    /// Whether the box truncates a line that was detected in it along both of its long sides.
    ///
    /// Its sides then lie at, or beyond, two different edges of the box that are no edges of `region`.
    func cutsAcross(_ line: Quad, in region: Box) -> Bool {
        let line = line.withLongSideUp
        let upper = self.edges(near: line.topLeft.interpolated(to: line.topRight, 0.5), in: region)
        let lower = self.edges(near: line.bottomLeft.interpolated(to: line.bottomRight, 0.5), in: region)
        return upper.contains { edge in lower.contains { $0 != edge } }
    }

    /// Whether the box contains a line that was detected in it, and truncates it at one of its edges that is none of `region`.
    func truncates(_ line: Quad, in region: Box) -> Bool {
        self.contains(line.centre) && !line.corners.allSatisfy { self.edges(near: $0, in: region).isEmpty }
    }

    /// Indices of edges at or beyond which a point lies, clockwise from the left, but for those of `region`.
    private func edges(near point: Point, in region: Box) -> [Int] {
        let isNear = [
            self.left > region.left && point.x < Float(self.left + Tuning.edgeDistance),
            self.top > region.top && point.y < Float(self.top + Tuning.edgeDistance),
            self.right < region.right && point.x > Float(self.right - Tuning.edgeDistance),
            self.bottom < region.bottom && point.y > Float(self.bottom - Tuning.edgeDistance),
        ]
        return isNear.indices.filter { isNear[$0] }
    }
}

extension Quad {
    /// Quad with the corners of a box.
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
    /// Whether there are boxes around the middle of a line, each with some property.
    func allAround(_ line: Quad, _ hasProperty: (Box) -> Bool) -> Bool {
        let around = self.filter { $0.contains(line.centre) }
        return !around.isEmpty && around.allSatisfy(hasProperty)
    }

    /// Joins boxes that cost hardly more to scan together than one by one; removes empty ones.
    mutating func merge() {
        self.removeAll(where: \.isEmpty)
        while self.count > Box.Tuning.maxCount { self.joinPairs() }
        var index = 0
        while index < self.count {
            if let other = self.partner(of: index) {
                let joined = self[index].union(self[other])
                self.remove(at: Swift.max(index, other))
                index = Swift.min(index, other)
                self[index] = joined
            } else {
                index += 1
            }
        }
    }

    /// Joins each second box with the one before it.
    private mutating func joinPairs() {
        self = stride(from: 0, to: self.count, by: 2).map { index in
            index + 1 < self.count ? self[index].union(self[index + 1]) : self[index]
        }
    }

    /// Index of the first box with which another one costs hardly more to scan than both by themselves.
    private func partner(of index: Int) -> Int? {
        let box = self[index]
        return self.indices.first { other in
            other != index
                && Float(box.union(self[other]).cost) <= Box.Tuning.maxCostRatio * Float(box.cost + self[other].cost)
        }
    }
}
