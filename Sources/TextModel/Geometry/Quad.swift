#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A place in a picture, x to the right and y down, in pixels unless said otherwise.
public struct Point: Sendable, Hashable {
    /// Distance from the left edge.
    public var x: Float
    /// Distance from the top edge.
    public var y: Float

    /// A point at `x`, `y`.
    @inlinable
    public init(x: Float, y: Float) {
        self.x = x
        self.y = y
    }
}

extension Point {
    /// The length of the straight line to `other`.
    @inlinable
    public func distance(to other: Point) -> Float { hypotf(other.x - self.x, other.y - self.y) }
}

/// Four corners, clockwise from the top-left **in reading direction**, so that their order gives the direction of the text.
public struct Quad: Sendable, Hashable {
    /// Where the text begins, at the top of its letters.
    public var topLeft: Point
    /// Where the text ends, at the top of its letters.
    public var topRight: Point
    /// Where the text ends, at the bottom of its letters.
    public var bottomRight: Point
    /// Where the text begins, at the bottom of its letters.
    public var bottomLeft: Point

    /// A quad of four corners, clockwise from the top-left in reading direction.
    @inlinable
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The upright rectangle with its top-left corner at `x`, `y`, read from left to right.
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

    /// The quad with every corner passed through `transform`.
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
