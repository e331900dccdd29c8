internal import GlyphwireProtocol

/// What a detection network marks of a line, which is less than the line, in pixels of its map.
struct LineCore {
    let rect: RotatedRect
    /// How sure the network is, 0...1.
    let score: Float
    /// How far the line reaches beyond its core on each side.
    let reach: Float

    /// Lines in a row differ by less in direction, as the sine of the angle.
    private static let mostSkew: Float = 0.2

    /// Where the line is.
    ///
    /// Beyond the middle between two cores of a row, either line would show letters of the other one as well.
    ///
    /// - Parameter others: All cores of the picture; it may be one of them.
    /// - Returns: The core with its sides moved outwards, to left and right no further than halfway to another one in its row.
    func line(beside others: [LineCore]) -> RotatedRect {
        var (left, right) = (self.reach, self.reach)
        for other in others {
            guard let (gap, isRight) = self.gap(to: other) else { continue }
            let room = gap * self.reach / (self.reach + other.reach)
            if isRight { right = min(right, room) } else { left = min(left, room) }
        }
        var line = self.rect.expanded(by: self.reach)
        line.width += left + right - 2 * self.reach
        line.centre.x += line.axis.x * (right - left) / 2
        line.centre.y += line.axis.y * (right - left) / 2
        return line
    }

    /// How far another core of the same row is from this one, and on which side; `nil` where it is in another row, or both lie
    /// beside the same place of it.
    private func gap(to other: LineCore) -> (gap: Float, isRight: Bool)? {
        let axis = self.rect.axis
        let (x, y) = (other.rect.centre.x - self.rect.centre.x, other.rect.centre.y - self.rect.centre.y)
        let along = x * axis.x + y * axis.y
        let across = abs(y * axis.x - x * axis.y)
        let gap = abs(along) - (self.rect.width + other.rect.width) / 2
        let height = min(self.rect.height + 2 * self.reach, other.rect.height + 2 * other.reach)
        let skew = abs(axis.x * other.rect.axis.y - axis.y * other.rect.axis.x)
        guard gap >= 0, across < height / 2, skew < Self.mostSkew else { return nil }
        return (gap, along > 0)
    }
}
