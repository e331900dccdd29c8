internal import TextModel

/// The convex hull of a connected component, in the pixels of its map.
enum ConvexHull {
    /// Returns the corners of the hull around the pixel areas of rows.
    ///
    /// The algorithm is Andrew's monotone chain (Information Processing Letters 9, 1979) along y, where the rows come sorted.
    ///
    /// - Parameters:
    ///   - top: The number of the first row.
    ///   - extents: The extent of each row from `top` on: its first pixel and the one past its last. Empty rows have
    ///     `first >= end`.
    /// - Returns: The corners, clockwise (y runs down).
    static func around(top: Int, extents: [(first: Int32, end: Int32)]) -> [Point] {
        var left: [Point] = []
        var right: [Point] = []
        for (index, extent) in extents.enumerated() where extent.first < extent.end {
            // Pixels are squares: a row has corners at its upper and at its lower edge.
            for y in [Float(top + index), Float(top + index + 1)] {
                Self.append(Point(x: Float(extent.first), y: y), to: &left, turning: 1)
                Self.append(Point(x: Float(extent.end), y: y), to: &right, turning: -1)
            }
        }
        return right + left.reversed()
    }

    /// Appends a point to a chain, without the corners that it makes concave.
    private static func append(_ point: Point, to chain: inout [Point], turning sign: Float) {
        while chain.count >= 2 {
            let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
            let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
            guard cross * sign >= 0 else { break }
            chain.removeLast()
        }
        chain.append(point)
    }
}
