internal import TextModel
internal import TextRecognition

/// Displacement of lines that move by themselves, such as those of a ticker or of rolling credits.
///
/// Each pair of identical words is a hypothesis, and the one with most support in the text wins (Ballard, Generalizing the
/// Hough transform to detect arbitrary shapes, Pattern Recognition 13, 1981). So a narrow word that moves farther than its
/// width is identified by its neighbours.
struct WordDisplacement {
    private enum Tuning {
        /// Largest displacement between two frames in heights of a word; chosen by eye.
        static let maxDisplacement: Float = 8
        /// Least number of supporting words for a displacement farther than their height; chosen by eye.
        ///
        /// A word alone may be another one with the same text there.
        static let minCount = 2
        /// Least overlap of supporting words; chosen by eye.
        static let minOverlap: Float = 0.4
        /// Largest ratio between the heights of two boxes of one word; chosen by eye.
        static let maxHeightRatio: Float = 1.5
    }

    private struct Hypothesis {
        var displacement: Point
        /// Support in the line: overlaps weighted by numbers of characters.
        var support: Float
        /// Number of supporting words in the line, or in all lines if the line has too few.
        var count: Int
    }

    private let old: [TextWord]
    /// Bounding boxes of ``old``.
    private let bounds: [(left: Float, top: Float, right: Float, bottom: Float)]
    /// Indices of ``old`` by text.
    private let byText: [String: [Int]]

    private static let zero = Point(x: 0, y: 0)

    /// Displacement since an earlier frame with these words.
    init(from old: [TextWord]) {
        self.old = old
        self.bounds = old.map(\.box.bounds)
        self.byText = Dictionary(grouping: old.indices) { old[$0].text }
    }

    /// Estimates the displacement of a line.
    ///
    /// - Parameters:
    ///   - words: The words of the line.
    ///   - others: All words of lines that may have moved with it, its own among them.
    /// - Returns: The displacement; zero where no hypothesis has enough support.
    func of(_ words: [TextWord], among others: [TextWord]) -> Point {
        var best: Hypothesis?
        for word in words where !word.text.isEmpty {
            for index in self.byText[word.text] ?? [] where Self.haveOneHeight(word.box, self.old[index].box) {
                let old = self.old[index].box
                // A word that an edge of the frame truncates may keep only the place of its start.
                for (from, to) in [(old.centre, word.box.centre), (old.topLeft, word.box.topLeft)] {
                    let displacement = Point(x: to.x - from.x, y: to.y - from.y)
                    guard Self.length(of: displacement) <= Tuning.maxDisplacement * word.box.height,
                        let hypothesis = self.hypothesis(displacement, of: words, among: others)
                    else { continue }
                    if best.map({ Self.isBetter(hypothesis, than: $0) }) ?? true { best = hypothesis }
                }
            }
        }
        return best?.displacement ?? Self.zero
    }

    /// Hypothesis of a displacement; `nil` where it has too little support, or more words contradict it.
    private func hypothesis(_ displacement: Point, of words: [TextWord], among others: [TextWord]) -> Hypothesis? {
        var (support, contradiction, count) = (Float(0), Float(0), 0)
        for word in words {
            if let overlap = self.support(of: word, displacement) {
                support += overlap * Float(word.text.count)
                count += 1
            } else if self.isContradicted(by: word, displacement) {
                contradiction += Float(word.text.count)
            }
        }
        if count < Tuning.minCount { count = others.count { self.support(of: $0, displacement) != nil } }
        let isNear = Self.length(of: displacement) <= (words.first?.box.height ?? 0)
        guard count >= Tuning.minCount || isNear, support > contradiction else { return nil }
        return Hypothesis(displacement: displacement, support: support, count: count)
    }

    /// Overlap of a word with the displaced box of an identical one.
    private func support(of word: TextWord, _ displacement: Point) -> Float? {
        let overlaps = (self.byText[word.text] ?? []).map { index in
            WordIDs.match(word, self.old[index].moved(by: displacement))?.overlap ?? 0
        }
        return overlaps.max().flatMap { $0 > Tuning.minOverlap ? $0 : nil }
    }

    /// Whether the displacement takes a word with a different reading to a word's place.
    private func isContradicted(by word: TextWord, _ displacement: Point) -> Bool {
        let place = word.moved(by: Point(x: -displacement.x, y: -displacement.y)).box
        let bounds = place.bounds
        return self.old.indices.contains { index in
            let old = self.bounds[index]
            // Most words lie elsewhere.
            guard old.left < bounds.right, bounds.left < old.right, old.top < bounds.bottom, bounds.top < old.bottom
            else { return false }
            return WordIDs.match(word, self.old[index].moved(by: displacement)).map { $0.similarity == .different }
                ?? false
        }
    }

    private static func haveOneHeight(_ a: Quad, _ b: Quad) -> Bool {
        max(a.height, b.height) <= Tuning.maxHeightRatio * min(a.height, b.height)
    }

    private static func isBetter(_ a: Hypothesis, than b: Hypothesis) -> Bool {
        (a.support, a.count, -Self.length(of: a.displacement)) > (b.support, b.count, -Self.length(of: b.displacement))
    }

    private static func length(of vector: Point) -> Float { (vector.x * vector.x + vector.y * vector.y).squareRoot() }
}
