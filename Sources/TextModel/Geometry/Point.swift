#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// Point in a picture, x to the right and y down, in pixels unless stated otherwise.
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
    /// Distance to `other`.
    @inlinable
    public func distance(to other: Point) -> Float { hypotf(other.x - self.x, other.y - self.y) }
}

extension Point {
    /// Linear interpolation towards another point.
    package func interpolated(to other: Point, _ fraction: Float) -> Point {
        Point(x: self.x + (other.x - self.x) * fraction, y: self.y + (other.y - self.y) * fraction)
    }
}
