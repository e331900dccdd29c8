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
        /// Step in pixels to which a displacement is rounded where all words are counted: far less than a word is high.
        static let countStep: Float = 2
    }

    private struct Hypothesis {
        var displacement: Point
        /// Support in the line: overlaps weighted by numbers of characters.
        var support: Float
        /// Number of supporting words in the line, or in all lines if the line has too few.
        var count: Int
    }

    /// Word with the bounds of its padded box.
    private struct PlacedWord {
        let word: TextWord
        private let bounds: (left: Float, top: Float, right: Float, bottom: Float)

        init(_ word: TextWord) {
            self.word = word
            self.bounds = word.box.padded.bounds
        }

        /// Match with an earlier word after a displacement; `nil` where they lie apart, as most words do.
        func match(_ old: Self, _ displacement: Point) -> (similarity: WordSimilarity, overlap: Float)? {
            let (mine, theirs) = (self.bounds, old.bounds)
            guard theirs.left + displacement.x < mine.right, mine.left < theirs.right + displacement.x,
                theirs.top + displacement.y < mine.bottom, mine.top < theirs.bottom + displacement.y
            else { return nil }
            return WordIDs.match(self.word, old.word.moved(by: displacement))
        }
    }

    private let old: [PlacedWord]
    private let words: [PlacedWord]
    /// Indices of those of ``old`` that each word may have been: with its text and its height, and within its reach.
    private let identical: [[Int]]
    /// Numbers of words that support the displacements for which they were counted.
    private var counts: [Point: Int] = [:]

    private static let zero = Point(x: 0, y: 0)

    /// Displacement of words since an earlier frame.
    ///
    /// - Parameters:
    ///   - old: The words of lines of that frame.
    ///   - words: All words of lines that may have moved together since.
    init(from old: [TextWord], to words: [TextWord]) {
        self.old = old.map(PlacedWord.init)
        self.words = words.map(PlacedWord.init)
        let byText = Dictionary(grouping: old.indices) { old[$0].text }
        self.identical = words.map { word in
            (byText[word.text] ?? []).filter { Self.isReachable(word.box, from: old[$0].box) }
        }
    }

    /// Estimates the displacement of a line.
    ///
    /// - Parameter line: The indices of its words.
    /// - Returns: The displacement; zero where no hypothesis has enough support.
    mutating func of(_ line: Range<Int>) -> Point {
        var best: Hypothesis?
        for index in line where !self.words[index].word.text.isEmpty {
            let box = self.words[index].word.box
            for old in self.identical[index] {
                for displacement in Self.displacements(of: box, from: self.old[old].word.box) {
                    guard Self.length(of: displacement) <= Tuning.maxDisplacement * box.height,
                        let hypothesis = self.hypothesis(displacement, of: line)
                    else { continue }
                    if best.map({ Self.isBetter(hypothesis, than: $0) }) ?? true { best = hypothesis }
                }
            }
        }
        return best?.displacement ?? Self.zero
    }

    /// Displacements from one box to another: of the middle, and of the start, which is all that an edge of the frame may leave.
    private static func displacements(of box: Quad, from old: Quad) -> [Point] {
        [(old.centre, box.centre), (old.topLeft, box.topLeft)].map { from, to in
            Point(x: to.x - from.x, y: to.y - from.y)
        }
    }

    /// Whether a word may have moved from one box to another.
    private static func isReachable(_ box: Quad, from old: Quad) -> Bool {
        let height = box.height
        return max(height, old.height) <= Tuning.maxHeightRatio * min(height, old.height)
            && Self.displacements(of: box, from: old).contains {
                Self.length(of: $0) <= Tuning.maxDisplacement * height
            }
    }

    /// Hypothesis of a displacement; `nil` where it has too little support, or more words contradict it.
    private mutating func hypothesis(_ displacement: Point, of line: Range<Int>) -> Hypothesis? {
        var (support, contradiction, count) = (Float(0), Float(0), 0)
        for index in line {
            let length = Float(self.words[index].word.text.count)
            if let overlap = self.support(of: index, displacement) {
                support += overlap * length
                count += 1
            } else if self.isContradicted(by: index, displacement) {
                contradiction += length
            }
        }
        if count < Tuning.minCount { count = self.supportCount(displacement) }
        let isNear = Self.length(of: displacement) <= (line.first.map { self.words[$0].word.box.height } ?? 0)
        guard count >= Tuning.minCount || isNear, support > contradiction else { return nil }
        return Hypothesis(displacement: displacement, support: support, count: count)
    }

    /// Number of words in all lines that support a displacement, to the nearest ``Tuning/countStep``.
    private mutating func supportCount(_ displacement: Point) -> Int {
        let rounded = Point(
            x: (displacement.x / Tuning.countStep).rounded() * Tuning.countStep,
            y: (displacement.y / Tuning.countStep).rounded() * Tuning.countStep
        )
        if let count = self.counts[rounded] { return count }
        let count = self.words.indices.count { self.support(of: $0, rounded) != nil }
        self.counts[rounded] = count
        return count
    }

    /// Overlap of a word with the displaced box of an identical one.
    private func support(of index: Int, _ displacement: Point) -> Float? {
        let overlaps = self.identical[index].lazy.compactMap {
            self.words[index].match(self.old[$0], displacement)?.overlap
        }
        return overlaps.max().flatMap { $0 > Tuning.minOverlap ? $0 : nil }
    }

    /// Whether the displacement takes a word with a different reading to a word's place.
    private func isContradicted(by index: Int, _ displacement: Point) -> Bool {
        self.old.contains { self.words[index].match($0, displacement)?.similarity == .different }
    }

    private static func isBetter(_ a: Hypothesis, than b: Hypothesis) -> Bool {
        (a.support, a.count, -Self.length(of: a.displacement)) > (b.support, b.count, -Self.length(of: b.displacement))
    }

    private static func length(of vector: Point) -> Float { (vector.x * vector.x + vector.y * vector.y).squareRoot() }
}
