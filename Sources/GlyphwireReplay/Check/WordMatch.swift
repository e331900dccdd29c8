internal import GlyphwireProtocol
internal import TextModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Matching of a frame's expected words with those that were found.
struct WordMatch {
    /// Minimum overlap of the boxes of matching words.
    static let minimumOverlap = 0.5

    /// Number of words with the same text at the same place.
    private(set) var same = 0
    /// Words with another text than expected at the same place.
    private(set) var changed: [(expected: String, found: String)] = []
    /// Expected words without a match.
    private(set) var missing: [String] = []
    /// Found words without a match.
    private(set) var extra: [String] = []
    /// Intersection over union of each pair's boxes.
    private(set) var overlaps: [Double] = []
    /// Distance of each character's centre from the expected one, for equal words, in pixels.
    private(set) var centreErrors: [Double] = []

    /// Matches words greedily by the overlap of their boxes, largest first.
    init(expected: [TextWord], found: [TextWord]) {
        var pairs: [(overlap: Double, expected: Int, found: Int)] = []
        for (i, a) in expected.enumerated() {
            for (j, b) in found.enumerated() {
                let overlap = Self.overlap(a.box, b.box)
                if overlap >= Self.minimumOverlap { pairs.append((overlap, i, j)) }
            }
        }
        pairs.sort { a, b in (b.overlap, a.expected, a.found) < (a.overlap, b.expected, b.found) }
        var partners = [Int?](repeating: nil, count: expected.count)
        var isTaken = [Bool](repeating: false, count: found.count)
        for pair in pairs where partners[pair.expected] == nil && !isTaken[pair.found] {
            partners[pair.expected] = pair.found
            isTaken[pair.found] = true
            self.overlaps.append(pair.overlap)
        }
        for (word, partner) in zip(expected, partners) {
            guard let partner else {
                self.missing.append(word.text)
                continue
            }
            self.compare(word, found[partner])
        }
        self.extra = zip(found, isTaken).filter { !$0.1 }.map(\.0.text)
    }

    /// Whether the frame has the expected text.
    var isSame: Bool { self.changed.isEmpty && self.missing.isEmpty && self.extra.isEmpty }

    /// Intersection over union of two boxes, 1 for equal ones even if they have no area.
    ///
    /// Both are moved to the origin, since single precision loses a pixel or so of areas at large coordinates.
    private static func overlap(_ expected: Quad, _ found: Quad) -> Double {
        guard expected != found else { return 1 }
        let origin = expected.topLeft
        let move = { (point: Point) in Point(x: point.x - origin.x, y: point.y - origin.y) }
        let overlap = expected.mapCorners(move).intersectionOverUnion(with: found.mapCorners(move))
        // Rounding may leave a little more than 1.
        return min(1, Double(overlap))
    }

    private mutating func compare(_ expected: TextWord, _ found: TextWord) {
        guard expected.text == found.text else {
            self.changed.append((expected.text, found.text))
            return
        }
        self.same += 1
        guard expected.characters.count == found.characters.count else { return }
        for (a, b) in zip(expected.characters, found.characters) {
            let (a, b) = (a.box.centre, b.box.centre)
            self.centreErrors.append(Double(hypotf(a.x - b.x, a.y - b.y)))
        }
    }
}
