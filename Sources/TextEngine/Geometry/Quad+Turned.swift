internal import GlyphwireProtocol

extension Quad {
    /// The same place read in a direction turned clockwise by so many quarters, 0...3.
    func turned(_ quarters: Int) -> Quad {
        let corners = self.corners
        return Quad(
            topLeft: corners[quarters % 4],
            topRight: corners[(quarters + 1) % 4],
            bottomRight: corners[(quarters + 2) % 4],
            bottomLeft: corners[(quarters + 3) % 4]
        )
    }
}
