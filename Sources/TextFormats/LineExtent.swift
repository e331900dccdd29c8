internal import Glibc
internal import GlyphwireProtocol
internal import TextModel

/// Where a line stands among the others of its block.
struct LineExtent {
    var start: Float
    var end: Float
    let top: Float
    let bottom: Float
    let along: Point

    /// The extent of a line, seen along `axes`.
    ///
    /// Its height is its own, so that a slight slant against the axes does not make a long line high.
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

/// How a line goes on from the one before it in reading order.
enum Continuation: Comparable {
    /// It stands elsewhere.
    case block
    /// Below it at some distance, or in letters of another size.
    case paragraph
    /// As the next line of running text, or as the rest of the same row.
    case line

    /// The cosine of ten degrees: lines that turn more are not of one block.
    private static let leastParallel: Float = 0.985
    /// Largest gap between the lines of a paragraph, in line heights.
    private static let lineGap: Float = 0.7
    /// Largest gap between the paragraphs of a block, in line heights.
    private static let paragraphGap: Float = 2
    /// Largest gap between pieces of the same row, in line heights.
    private static let pieceGap: Float = 2
    /// Lines of a paragraph differ in height by so much at most, which is what ascenders and descenders may make.
    private static let sizeRatio: Float = 1.8

    /// How `line` goes on.
    ///
    /// - Parameters:
    ///   - line: A line.
    ///   - last: The one before it.
    ///   - start: Where the block that holds `last` begins, along its lines.
    ///   - end: Where it ends.
    init(_ line: LineExtent, after last: LineExtent, blockFrom start: Float, to end: Float) {
        self = .block
        guard line.along.x * last.along.x + line.along.y * last.along.y >= Self.leastParallel else { return }
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
