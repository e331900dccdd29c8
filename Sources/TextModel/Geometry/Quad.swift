/// Quadrilateral of four corners, clockwise from the top-left **in reading direction**.
///
/// The order of the corners gives the direction of the text.
public struct Quad: Sendable, Hashable {
    /// Start of the text, at the top of its characters.
    public var topLeft: Point
    /// End of the text, at the top of its characters.
    public var topRight: Point
    /// End of the text, at the bottom of its characters.
    public var bottomRight: Point
    /// Start of the text, at the bottom of its characters.
    public var bottomLeft: Point

    /// Creates a quad from four corners, clockwise from the top-left in reading direction.
    @inlinable
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// Creates an axis-aligned rectangle with its top-left corner at `x`, `y`, read from left to right.
    public init(x: Float, y: Float, width: Float, height: Float) {
        self.init(
            topLeft: Point(x: x, y: y),
            topRight: Point(x: x + width, y: y),
            bottomRight: Point(x: x + width, y: y + height),
            bottomLeft: Point(x: x, y: y + height)
        )
    }

    /// The corners in order: top-left, top-right, bottom-right, bottom-left.
    @inlinable
    public var corners: [Point] { [self.topLeft, self.topRight, self.bottomRight, self.bottomLeft] }

    /// The quad with every corner mapped by `transform`.
    @inlinable
    public func mapCorners(_ transform: (Point) -> Point) -> Quad {
        Quad(
            topLeft: transform(self.topLeft),
            topRight: transform(self.topRight),
            bottomRight: transform(self.bottomRight),
            bottomLeft: transform(self.bottomLeft)
        )
    }
}
