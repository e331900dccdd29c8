extension Region {
    /// Greatest position of an edge in what was sent: sums such as 0.1 + 0.7 + 0.2 are slightly above 1 (Protocol.md, *Options*).
    private static let maxEdge = 1.00001

    /// Creates a region from x, y, width and height; `nil` if those are none of a picture.
    package init?(fractions: [Double]) {
        guard fractions.count == 4 else { return nil }
        let (x, y, width, height) = (fractions[0], fractions[1], fractions[2], fractions[3])
        guard (0..<1).contains(x), (0..<1).contains(y), width > 0, height > 0, x + width <= Self.maxEdge,
            y + height <= Self.maxEdge
        else { return nil }
        self.init(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))
    }
}
