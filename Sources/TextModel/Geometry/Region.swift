/// Rectangle in fractions 0...1 of the upright picture, with the origin at its top-left.
public struct Region: Sendable, Hashable {
    /// The left edge.
    public var x: Double
    /// The top edge.
    public var y: Double
    /// The width, greater than 0.
    public var width: Double
    /// The height, greater than 0.
    public var height: Double

    /// Creates a region of the picture.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole picture.
    public static let full = Region(x: 0, y: 0, width: 1, height: 1)
}
