internal import TextModel

/// What a detection network marks of a line, which is less than the line, in pixels of its map.
struct TextKernel {
    let rect: RotatedRect
    /// How sure the network is, 0...1.
    let score: Float
    /// How far the line reaches beyond its core on each side.
    let unclipDistance: Float

    /// Lines in a row differ by less in direction, as the sine of the angle.
    private static let mostSkew: Float = 0.2

    /// Where the lines are of which a picture's map shows the cores.
    ///
    /// Beyond the middle between two cores of a row, either line would show letters of the other one as well.
    ///
    /// - Parameter cores: All cores of the picture.
    /// - Returns: Each core with its sides moved outwards, to left and right no further than halfway to another one in its row.
    static func lines(of cores: [TextKernel]) -> [RotatedRect] {
        var rooms = cores.map { (left: $0.unclipDistance, right: $0.unclipDistance) }
        // Lines that share a row of the picture stand together in this order, so that thousands take no time.
        let order = cores.indices.sorted { cores[$0].top < cores[$1].top }
        for (position, index) in order.enumerated() {
            for other in order[(position + 1)...] {
                guard cores[other].top <= cores[index].bottom else { break }
                cores[index].limit(&rooms[index], beside: cores[other])
                cores[other].limit(&rooms[other], beside: cores[index])
            }
        }
        return zip(cores, rooms).map { $0.line($1) }
    }

    /// The uppermost row of the line.
    private var top: Float { self.rect.centre.y - self.halfHeight }

    /// The lowest row of the line.
    private var bottom: Float { self.rect.centre.y + self.halfHeight }

    private var halfHeight: Float {
        abs(self.rect.axis.y) * (self.rect.width / 2 + self.unclipDistance)
            + abs(self.rect.axis.x) * (self.rect.height / 2 + self.unclipDistance)
    }

    /// Ends the line halfway to another one in its row.
    private func limit(_ room: inout (left: Float, right: Float), beside other: TextKernel) {
        guard let (gap, isRight) = self.gap(to: other) else { return }
        let share = gap * self.unclipDistance / (self.unclipDistance + other.unclipDistance)
        if isRight { room.right = min(room.right, share) } else { room.left = min(room.left, share) }
    }

    /// The core with its sides moved outwards, to left and right as far as there is room.
    private func line(_ room: (left: Float, right: Float)) -> RotatedRect {
        var line = self.rect.expanded(by: self.unclipDistance)
        line.width += room.left + room.right - 2 * self.unclipDistance
        line.centre.x += line.axis.x * (room.right - room.left) / 2
        line.centre.y += line.axis.y * (room.right - room.left) / 2
        return line
    }

    /// How far another core of the same row is from this one, and on which side; `nil` where it is in another row, or both lie
    /// beside the same place of it.
    private func gap(to other: TextKernel) -> (gap: Float, isRight: Bool)? {
        let axis = self.rect.axis
        let (x, y) = (other.rect.centre.x - self.rect.centre.x, other.rect.centre.y - self.rect.centre.y)
        let along = x * axis.x + y * axis.y
        let across = abs(y * axis.x - x * axis.y)
        let gap = abs(along) - (self.rect.width + other.rect.width) / 2
        let height = min(self.rect.height + 2 * self.unclipDistance, other.rect.height + 2 * other.unclipDistance)
        let skew = abs(axis.x * other.rect.axis.y - axis.y * other.rect.axis.x)
        guard gap >= 0, across < height / 2, skew < Self.mostSkew else { return nil }
        return (gap, along > 0)
    }
}
