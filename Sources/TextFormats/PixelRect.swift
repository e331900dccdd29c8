internal import GlyphwireProtocol
internal import TextModel

/// Rectangle of whole pixels, as in older formats.
struct PixelRect: Hashable {
    /// First column.
    var left: Int
    /// First row.
    var top: Int
    /// Column after the last.
    var right: Int
    /// Row after the last.
    var bottom: Int

    var width: Int { self.right - self.left }
    var height: Int { self.bottom - self.top }

    /// Creates the bounding box of `quad`, clipped to the page, of at least one pixel.
    init(_ quad: Quad, width: Int, height: Int) {
        let corners = quad.corners
        (self.left, self.right) = Self.range(corners.map(\.x), within: width)
        (self.top, self.bottom) = Self.range(corners.map(\.y), within: height)
    }

    /// Smallest rectangle around both.
    func union(_ other: PixelRect) -> PixelRect {
        var union = self
        union.left = min(self.left, other.left)
        union.top = min(self.top, other.top)
        union.right = max(self.right, other.right)
        union.bottom = max(self.bottom, other.bottom)
        return union
    }

    private static func range(_ values: [Float], within size: Int) -> (Int, Int) {
        let bound = Float(size)
        let low = values.reduce(bound) { min($0, max($1, 0)) }.rounded(.down)
        let high = values.reduce(0) { max($0, min($1, bound)) }.rounded(.up)
        let first = min(Int(low), max(size - 1, 0))
        return (first, max(Int(high), first + 1))
    }
}
