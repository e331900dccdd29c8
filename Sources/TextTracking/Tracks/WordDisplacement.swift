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
        var support: Float = 0
        /// Number of supporting words in the line, or in all lines if the line has too few.
        var count = 0
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
        for displacement in self.displacements(of: line).sorted(by: { $0.support > $1.support }) {
            // Whether a displacement is contradicted takes all words of the page, so the best ones come first.
            if let best, displacement.support < best.support { break }
            guard let hypothesis = self.tested(displacement, of: line) else { continue }
            if best.map({ Self.isBetter(hypothesis, than: $0) }) ?? true { best = hypothesis }
        }
        return best?.displacement ?? Self.zero
    }

    /// Hypotheses of the words of a line, with their support in it.
    private func displacements(of line: Range<Int>) -> [Hypothesis] {
        line.filter { !self.words[$0].word.text.isEmpty }.flatMap { index in
            let box = self.words[index].word.box
            return self.identical[index].flatMap { Self.displacements(of: box, from: self.old[$0].word.box) }
                .filter { Self.length(of: $0) <= Tuning.maxDisplacement * box.height }
        }
        .map { self.hypothesis($0, of: line) }
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

    /// Hypothesis of a displacement, with its support in a line.
    private func hypothesis(_ displacement: Point, of line: Range<Int>) -> Hypothesis {
        line.reduce(into: Hypothesis(displacement: displacement)) { hypothesis, index in
            guard let overlap = self.support(of: index, displacement) else { return }
            hypothesis.support += overlap * self.length(of: index)
            hypothesis.count += 1
        }
    }

    /// Hypothesis with its support in all lines if the line has too little; `nil` where that is not enough, or more words
    /// contradict it.
    private mutating func tested(_ hypothesis: Hypothesis, of line: Range<Int>) -> Hypothesis? {
        let displacement = hypothesis.displacement
        let contradiction = line.reduce(Float(0)) { sum, index in
            !self.isSupported(by: index, displacement) && self.isContradicted(by: index, displacement)
                ? sum + self.length(of: index) : sum
        }
        guard hypothesis.support > contradiction else { return nil }
        var hypothesis = hypothesis
        if hypothesis.count < Tuning.minCount { hypothesis.count = self.supportCount(displacement) }
        let isNear = Self.length(of: displacement) <= (line.first.map { self.words[$0].word.box.height } ?? 0)
        return hypothesis.count >= Tuning.minCount || isNear ? hypothesis : nil
    }

    /// Number of words in all lines that support a displacement, to the nearest ``Tuning/countStep``.
    private mutating func supportCount(_ displacement: Point) -> Int {
        let rounded = Point(
            x: (displacement.x / Tuning.countStep).rounded() * Tuning.countStep,
            y: (displacement.y / Tuning.countStep).rounded() * Tuning.countStep
        )
        if let count = self.counts[rounded] { return count }
        let count = self.words.indices.count { self.isSupported(by: $0, rounded) }
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

    /// Whether a word overlaps the displaced box of an identical one.
    private func isSupported(by index: Int, _ displacement: Point) -> Bool {
        self.identical[index].contains {
            (self.words[index].match(self.old[$0], displacement)?.overlap ?? 0) > Tuning.minOverlap
        }
    }

    /// Whether the displacement takes a word with a different reading to a word's place.
    private func isContradicted(by index: Int, _ displacement: Point) -> Bool {
        self.old.contains { self.words[index].match($0, displacement)?.similarity == .different }
    }

    private static func isBetter(_ a: Hypothesis, than b: Hypothesis) -> Bool {
        (a.support, a.count, -Self.length(of: a.displacement)) > (b.support, b.count, -Self.length(of: b.displacement))
    }

    /// Number of characters of a word.
    private func length(of index: Int) -> Float { Float(self.words[index].word.text.count) }

    private static func length(of vector: Point) -> Float { (vector.x * vector.x + vector.y * vector.y).squareRoot() }
}
