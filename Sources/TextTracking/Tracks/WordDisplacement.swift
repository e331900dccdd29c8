internal import TextModel
internal import TextRecognition

/// Estimates by how much lines have moved by themselves, such as those of a ticker or of rolling credits.
///
/// Each pair of words that say the same is a hypothesis, and the one holds with which most of the text agrees (Ballard,
/// Generalizing the Hough transform to detect arbitrary shapes, Pattern Recognition 13, 1981). A word of one character that
/// moves farther than it is wide is the same word as its neighbours are.
struct WordDisplacement {
    private struct Hypothesis {
        var shift: Point
        /// How much of the line agrees, in characters, and how many words of it and of others do.
        var support: Float
        var count: Int
    }

    private let old: [TextWord]
    /// What lies around each of ``old``.
    private let bounds: [(left: Float, top: Float, right: Float, bottom: Float)]
    /// Indices of ``old``, by text.
    private let byText: [String: [Int]]

    /// The farthest that a line moves from one frame to the next, in heights of its words.
    private static let farthest: Float = 8
    /// Words that agree at least where they moved farther than they are high: a word alone may be another one there.
    private static let leastCount = 2
    /// What two boxes share at least whose words agree.
    private static let leastOverlap: Float = 0.4
    /// How many times as high as the other one of two boxes of a word may be.
    private static let mostGrowth: Float = 1.5
    private static let still = Point(x: 0, y: 0)

    /// Words of an earlier frame.
    init(from old: [TextWord]) {
        self.old = old
        self.bounds = old.map(\.box.bounds)
        self.byText = Dictionary(grouping: old.indices) { old[$0].text }
    }

    /// The displacement of a line since.
    ///
    /// - Parameters:
    ///   - words: Those of the line.
    ///   - others: All words of lines that may have moved with it, its own among them.
    /// - Returns: By how much it moved; nothing where too little of it agrees.
    func of(_ words: [TextWord], among others: [TextWord]) -> Point {
        var best: Hypothesis?
        for word in words where !word.text.isEmpty {
            for index in self.byText[word.text] ?? [] where Self.areAlike(word.box, self.old[index].box) {
                let old = self.old[index].box
                // What an edge of the frame cuts off may reach too far behind its start.
                for (from, to) in [(old.centre, word.box.centre), (old.topLeft, word.box.topLeft)] {
                    let shift = Point(x: to.x - from.x, y: to.y - from.y)
                    guard Self.length(of: shift) <= Self.farthest * word.box.height,
                        let hypothesis = self.hypothesis(shift, of: words, among: others)
                    else { continue }
                    if best.map({ Self.isBetter(hypothesis, than: $0) }) ?? true { best = hypothesis }
                }
            }
        }
        return best?.shift ?? Self.still
    }

    /// What speaks for a shift; `nil` where too little does, or more speaks against it.
    private func hypothesis(_ shift: Point, of words: [TextWord], among others: [TextWord]) -> Hypothesis? {
        var (support, contradiction, count) = (Float(0), Float(0), 0)
        for word in words {
            if let overlap = self.agreement(word, shift) {
                support += overlap * Float(word.text.count)
                count += 1
            } else if self.isContradicted(word, shift) {
                contradiction += Float(word.text.count)
            }
        }
        if count < Self.leastCount { count = others.count { self.agreement($0, shift) != nil } }
        let isEnough = count >= Self.leastCount || Self.length(of: shift) <= (words.first?.box.height ?? 0)
        guard isEnough, support > contradiction else { return nil }
        return Hypothesis(shift: shift, support: support, count: count)
    }

    /// How much a word's box shares with where one that says the same has moved.
    private func agreement(_ word: TextWord, _ shift: Point) -> Float? {
        let overlaps = (self.byText[word.text] ?? []).map { index in
            WordIDs.match(word, self.old[index].moved(by: shift))?.overlap ?? 0
        }
        return overlaps.max().flatMap { $0 > Self.leastOverlap ? $0 : nil }
    }

    /// Whether a word that says something else has moved to a word's place.
    private func isContradicted(_ word: TextWord, _ shift: Point) -> Bool {
        let place = word.moved(by: Point(x: -shift.x, y: -shift.y)).box
        let bounds = place.bounds
        return self.old.indices.contains { index in
            let old = self.bounds[index]
            // Most of them lie elsewhere.
            guard old.left < bounds.right, bounds.left < old.right, old.top < bounds.bottom, bounds.top < old.bottom
            else { return false }
            return WordIDs.match(word, self.old[index].moved(by: shift)).map { $0.likeness == .other } ?? false
        }
    }

    private static func areAlike(_ a: Quad, _ b: Quad) -> Bool {
        max(a.height, b.height) <= Self.mostGrowth * min(a.height, b.height)
    }

    private static func isBetter(_ a: Hypothesis, than b: Hypothesis) -> Bool {
        (a.support, a.count, -Self.length(of: a.shift)) > (b.support, b.count, -Self.length(of: b.shift))
    }

    private static func length(of shift: Point) -> Float { (shift.x * shift.x + shift.y * shift.y).squareRoot() }
}
