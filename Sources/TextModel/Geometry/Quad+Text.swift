extension Quad {
    /// The mean length of the sides along the text.
    @inlinable
    public var width: Float {
        (self.topLeft.distance(to: self.topRight) + self.bottomLeft.distance(to: self.bottomRight)) / 2
    }

    /// The mean length of the sides across the text.
    @inlinable
    public var height: Float {
        (self.topLeft.distance(to: self.bottomLeft) + self.topRight.distance(to: self.bottomRight)) / 2
    }

    /// The same place read in a direction turned clockwise by so many quarters, 0...3.
    @inlinable
    public func turned(_ quarters: Int) -> Quad {
        let corners = self.corners
        return Quad(
            topLeft: corners[quarters % 4],
            topRight: corners[(quarters + 1) % 4],
            bottomRight: corners[(quarters + 2) % 4],
            bottomLeft: corners[(quarters + 3) % 4]
        )
    }

    /// From where this one begins to where another, farther along the line, ends.
    @inlinable
    public func extended(to other: Quad) -> Quad {
        Quad(
            topLeft: self.topLeft,
            topRight: other.topRight,
            bottomRight: other.bottomRight,
            bottomLeft: self.bottomLeft
        )
    }

    /// How far a word's or line's box reaches beyond the boxes of its characters, in pixels of the sent picture: along the
    /// text, and across it.
    ///
    /// A character's box ends where half of its ink's darkness is reached, within a pixel that the ink shades in part. Who
    /// cuts a word out or paints it over wants the whole of that pixel. Across the text there is room for half a pixel more,
    /// to be safe; along it the next word is near.
    package static let margin: (along: Float, across: Float) = (0.5, 1)

    /// The quad with its sides moved outwards by ``margin``.
    package var withMargin: Quad {
        func outer(_ corner: Point, from next: Point, and other: Point) -> Point {
            let (along, across) = (corner.step(from: next), corner.step(from: other))
            return Point(
                x: corner.x + along.x * Self.margin.along + across.x * Self.margin.across,
                y: corner.y + along.y * Self.margin.along + across.y * Self.margin.across
            )
        }
        return Quad(
            topLeft: outer(self.topLeft, from: self.topRight, and: self.bottomLeft),
            topRight: outer(self.topRight, from: self.topLeft, and: self.bottomRight),
            bottomRight: outer(self.bottomRight, from: self.bottomLeft, and: self.topRight),
            bottomLeft: outer(self.bottomLeft, from: self.bottomRight, and: self.topLeft)
        )
    }
}

extension Point {
    /// The vector of length one that leads here from `other`; of no length where they are the same place.
    fileprivate func step(from other: Point) -> Point {
        let distance = self.distance(to: other)
        guard distance > 0 else { return Point(x: 0, y: 0) }
        return Point(x: (self.x - other.x) / distance, y: (self.y - other.y) / distance)
    }
}
