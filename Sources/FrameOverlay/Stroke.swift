internal import ImageCodecs
internal import TextModel

/// Straight line with round caps.
struct Stroke {
    private let start: SIMD2<Double>
    private let end: SIMD2<Double>
    private let radius: Double

    /// Creates a line between two points, which may be outside the picture.
    init(from start: Point, to end: Point, width: Float) {
        self.start = SIMD2(Double(start.x), Double(start.y))
        self.end = SIMD2(Double(end.x), Double(end.y))
        self.radius = Double(width) / 2
    }

    /// Antialiased coverage of the pixel at `column`, `row`, 0...1.
    func coverage(column: Int, row: Int) -> Double {
        let centre = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        let (direction, offset) = (self.end - self.start, centre - self.start)
        let length = (direction * direction).sum()
        let nearest = length > 0 ? min(max((direction * offset).sum() / length, 0), 1) : 0
        let distance = offset - direction * nearest
        return min(max(self.radius + 0.5 - (distance * distance).sum().squareRoot(), 0), 1)
    }

    /// Calls `body` with every pixel that the line may touch in a picture of the given size.
    ///
    /// The cost is bounded by the picture's sides, wherever the line begins and ends.
    func forEachPixel(width: Int, height: Int, _ body: (_ column: Int, _ row: Int) -> Void) {
        let direction = self.end - self.start
        let isFlat = abs(direction.x) >= abs(direction.y)
        let (along, across) = isFlat ? (0, 1) : (1, 0)
        let (first, last) = self.start[along] <= self.end[along] ? (self.start, self.end) : (self.end, self.start)
        let slope = last[along] > first[along] ? (last[across] - first[across]) / (last[along] - first[along]) : 0
        let halfWidth = self.radius + 1
        let (limitAlong, limitAcross) = isFlat ? (width, height) : (height, width)
        for a in Self.pixels(from: first[along] - halfWidth, to: last[along] + halfWidth, limit: limitAlong) {
            let position = min(max(Double(a) + 0.5, first[along]), last[along])
            let centre = first[across] + slope * (position - first[along])
            // Across a slanted line the distance from edge to edge is longer, by 1.41 at most.
            let spread = halfWidth * 1.5
            for b in Self.pixels(from: centre - spread, to: centre + spread, limit: limitAcross) {
                isFlat ? body(a, b) : body(b, a)
            }
        }
    }

    /// Pixels between two coordinates, clamped to 0..<`limit`.
    private static func pixels(from low: Double, to high: Double, limit: Int) -> Range<Int> {
        let limit = Double(limit)
        let first = Int(min(max(low.rounded(.down), 0), limit))
        let end = Int(min(max(high.rounded(.up), 0), limit))
        return first..<max(first, end)
    }
}

extension PixelBuffer {
    /// Draws the visible part of `stroke` on a BGRA picture.
    mutating func draw(_ stroke: Stroke, in colour: Colour) {
        let (width, height, bytesPerRow) = (self.width, self.height, self.bytesPerRow)
        let channels = SIMD3(Double(colour.blue), Double(colour.green), Double(colour.red))
        self.withMutableBytes { bytes in
            stroke.forEachPixel(width: width, height: height) { column, row in
                let coverage = stroke.coverage(column: column, row: row)
                guard coverage > 0 else { return }
                let offset = row * bytesPerRow + column * 4
                for channel in 0..<3 {
                    let below = Double(bytes[offset + channel])
                    bytes[offset + channel] = UInt8(below + (channels[channel] - below) * coverage + 0.5)
                }
            }
        }
    }
}
