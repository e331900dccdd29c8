package import GlyphwireProtocol

extension Quad {
    /// The mean length of the sides along the text.
    package var width: Float {
        (self.topLeft.distance(to: self.topRight) + self.bottomLeft.distance(to: self.bottomRight)) / 2
    }

    /// The mean length of the sides across the text.
    package var height: Float {
        (self.topLeft.distance(to: self.bottomLeft) + self.topRight.distance(to: self.bottomRight)) / 2
    }

    /// The same place read in a direction turned clockwise by so many quarters, 0...3.
    package func turned(_ quarters: Int) -> Quad {
        let corners = self.corners
        return Quad(
            topLeft: corners[quarters % 4],
            topRight: corners[(quarters + 1) % 4],
            bottomRight: corners[(quarters + 2) % 4],
            bottomLeft: corners[(quarters + 3) % 4]
        )
    }
}
