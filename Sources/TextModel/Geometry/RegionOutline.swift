/// Outline of a region of the upright picture, in fractions 0...1 with the origin at its top-left.
public enum RegionOutline: Sendable, Hashable {
    /// A rectangle.
    case rectangle(Region)
    /// A simple polygon with these corners, three at least.
    case polygon([Corner])

    /// Corner of a polygon.
    public struct Corner: Sendable, Hashable {
        /// Distance from the left edge.
        public var x: Double
        /// Distance from the top edge.
        public var y: Double

        /// Creates a corner.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// Least rectangle around the region.
    public var bounds: Region {
        switch self {
        case .rectangle(let region): return region
        case .polygon(let corners):
            let (xs, ys) = (corners.map(\.x), corners.map(\.y))
            let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
            return Region(x: left, y: top, width: (xs.max() ?? 1) - left, height: (ys.max() ?? 1) - top)
        }
    }

    /// Whether the region contains a point: a ray from it crosses the outline an odd number of times.
    package func contains(x: Double, y: Double) -> Bool {
        switch self {
        case .rectangle(let region):
            return x >= region.x && y >= region.y && x < region.x + region.width && y < region.y + region.height
        case .polygon(let corners):
            var isInside = false
            for (index, corner) in corners.enumerated() {
                let next = corners[(index + 1) % corners.count]
                guard (corner.y > y) != (next.y > y) else { continue }
                let crossing = corner.x + (y - corner.y) / (next.y - corner.y) * (next.x - corner.x)
                if x < crossing { isInside.toggle() }
            }
            return isInside
        }
    }
}
