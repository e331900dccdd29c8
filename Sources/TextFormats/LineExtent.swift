internal import Glibc
internal import GlyphwireProtocol
internal import TextModel

/// Extent of a line in its block.
struct LineExtent {
    var start: Float
    var end: Float
    let top: Float
    let bottom: Float
    let along: Point

    /// Measures a line along `axes`.
    ///
    /// The height is the line's own, so that a slight slant against the axes does not enlarge that of a long line.
    init(_ quad: Quad, _ axes: Axes) {
        let corners = quad.corners.map { axes.coordinates(of: $0) }
        self.start = corners.reduce(.infinity) { min($0, $1.along) }
        self.end = corners.reduce(-.infinity) { max($0, $1.along) }
        let middle = corners.reduce(0) { $0 + $1.down } / 4
        let (left, right) = (quad.bottomLeft - quad.topLeft, quad.bottomRight - quad.topRight)
        let height = (hypotf(left.x, left.y) + hypotf(right.x, right.y)) / 2
        self.top = middle - height / 2
        self.bottom = middle + height / 2
        self.along = Axes(quad).along
    }

    var height: Float { self.bottom - self.top }
}

/// Relation of a line to the previous one in reading order.
enum Continuation: Comparable {
    /// The line begins another block.
    case block
    /// The line begins another paragraph: at a distance below, or in another size.
    case paragraph
    /// The line continues the paragraph: the next line of running text, or the rest of the same row.
    case line

    /// Cosine of ten degrees, the maximum angle between lines of one block.
    private static let minParallel: Float = 0.985
    /// Maximum gap between the lines of a paragraph, in line heights.
    private static let lineGap: Float = 0.7
    /// Maximum gap between the paragraphs of a block, in line heights.
    private static let paragraphGap: Float = 2
    /// Maximum gap between parts of the same row, in line heights.
    private static let pieceGap: Float = 2
    /// Maximum ratio of line heights in a paragraph, which allows for ascenders and descenders.
    private static let sizeRatio: Float = 1.8

    /// Classifies the relation of `line` to `last`.
    ///
    /// - Parameters:
    ///   - line: A line.
    ///   - last: The previous line.
    ///   - start: Start of the block of `last`, along its lines.
    ///   - end: End of that block.
    init(_ line: LineExtent, after last: LineExtent, blockFrom start: Float, to end: Float) {
        self = .block
        guard line.along.x * last.along.x + line.along.y * last.along.y >= Self.minParallel else { return }
        let (small, large) = (min(line.height, last.height), max(line.height, last.height))
        let gap = line.top - last.bottom
        if gap < -small / 2 {
            let isSameRow = min(line.bottom, last.bottom) - max(line.top, last.top) > small / 2
            let distance = line.start - last.end
            if isSameRow, distance >= -small, distance <= Self.pieceGap * large { self = .line }
        } else if line.start < end, line.end > start {
            if gap <= Self.lineGap * large, large <= Self.sizeRatio * small {
                self = .line
            } else if gap <= Self.paragraphGap * large {
                self = .paragraph
            }
        }
    }
}
