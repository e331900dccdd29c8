extension Quad {
    /// Mean length of the sides along the text.
    @inlinable
    public var width: Float {
        (self.topLeft.distance(to: self.topRight) + self.bottomLeft.distance(to: self.bottomRight)) / 2
    }

    /// Mean length of the sides across the text.
    @inlinable
    public var height: Float {
        (self.topLeft.distance(to: self.bottomLeft) + self.topRight.distance(to: self.bottomRight)) / 2
    }

    /// The same area with its reading direction turned clockwise by a number of quarter turns, 0...3.
    @inlinable
    public func turned(_ quarterTurns: Int) -> Quad {
        let corners = self.corners
        return Quad(
            topLeft: corners[quarterTurns % 4],
            topRight: corners[(quarterTurns + 1) % 4],
            bottomRight: corners[(quarterTurns + 2) % 4],
            bottomLeft: corners[(quarterTurns + 3) % 4]
        )
    }

    /// The same area with its beginning and its end exchanged: that of text that runs the other way.
    package var mirrored: Quad {
        Quad(topLeft: self.topRight, topRight: self.topLeft, bottomRight: self.bottomLeft, bottomLeft: self.bottomRight)
    }

    /// The quad from the beginning of this one to the end of another one farther along the line.
    @inlinable
    public func extended(to other: Quad) -> Quad {
        Quad(
            topLeft: self.topLeft,
            topRight: other.topRight,
            bottomRight: other.bottomRight,
            bottomLeft: self.bottomLeft
        )
    }

    /// Margin of a word's or line's box around its characters' boxes, in sent pixels along and across the text.
    ///
    /// A character's box ends within a pixel that its ink shades in part. A client that crops or redacts a word needs
    /// the whole of that pixel. Across the text the margin is half a pixel wider for safety; along the text the next
    /// word is close.
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
    /// Unit vector from `other` to this point; zero where both are equal.
    fileprivate func step(from other: Point) -> Point {
        let distance = self.distance(to: other)
        guard distance > 0 else { return Point(x: 0, y: 0) }
        return Point(x: (self.x - other.x) / distance, y: (self.y - other.y) / distance)
    }
}
