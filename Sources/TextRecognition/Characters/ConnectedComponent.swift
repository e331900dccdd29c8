/// A connected piece of ink in a straightened line.
struct ConnectedComponent {
    let box: BoundingBox
    /// In pixels.
    let area: Float
    /// Whether it hangs on a rule.
    private let hangsOnRule: Bool
    /// Whether it stands on a rule.
    private let standsOnRule: Bool

    /// A piece of ink.
    ///
    /// - Parameters:
    ///   - runs: What it consists of.
    ///   - rules: Ink of the line that is no letter's, since it is too long; see ``ComponentLabeler/longRuns``.
    init(_ runs: UnsafeBufferPointer<ComponentLabeler.Run>, rules: [ComponentLabeler.Run]) {
        var (left, right, top, bottom, area) = (Int32.max, Int32.min, Int32.max, Int32.min, Int32(0))
        for run in runs {
            left = min(left, run.first)
            right = max(right, run.end)
            top = min(top, run.row)
            bottom = max(bottom, run.row + 1)
            area += run.end - run.first
        }
        self.box = BoundingBox(x0: Float(left), y0: Float(top), x1: Float(right), y1: Float(bottom))
        self.area = Float(area)
        self.hangsOnRule = runs.contains { $0.touches(rules, inRow: $0.row - 1) }
        self.standsOnRule = runs.contains { $0.touches(rules, inRow: $0.row + 1) }
    }

    /// Where an edge of the line cuts it off, or a rule, which is often the edge of a sign.
    private func cuts(_ height: Float) -> (above: Bool, below: Bool) {
        (self.box.y0 <= 0 || self.hangsOnRule, self.box.y1 >= height || self.standsOnRule)
    }

    /// Whether the piece is no part of a line `height` pixels high but came in at its edges, or is what a rule has left.
    ///
    /// - Parameters:
    ///   - core: Where the line's letters stand; see ``core(of:height:)``.
    ///   - height: Of the line.
    /// - Returns: Whether to leave the piece out.
    func isForeign(core: ClosedRange<Float>, height: Int) -> Bool {
        let height = Float(height)
        let isCut = self.cuts(height)
        if isCut.above, isCut.below {
            return self.isNarrow(height) || self.isVerticalRule(core: core, height: Int(height))
        }
        guard isCut.above || isCut.below else { return false }
        // Ink that comes in at an edge and hardly reaches the letters belongs to a neighbouring line.
        let shared = min(self.box.y1, core.upperBound) - max(self.box.y0, core.lowerBound)
        return shared < 0.5 * min(self.box.y1 - self.box.y0, core.upperBound - core.lowerBound)
    }

    /// Whether the piece is a vertical rule, such as the side of a frame or a table: a straight bar from the line's upper edge
    /// to its lower one, where the letters reach neither.
    func isVerticalRule(core: ClosedRange<Float>, height: Int) -> Bool {
        let height = Float(height)
        return self.box.y0 <= 0 && self.box.y1 >= height && self.box.x1 - self.box.x0 <= Self.widestRule * height
            && self.area >= Self.leastSolid * (self.box.x1 - self.box.x0) * height
            && core.lowerBound >= Self.leastMargin * height && core.upperBound <= (1 - Self.leastMargin) * height
    }

    /// The width of a rule at most, as a share of the line's height: a rule of two pixels beside letters of ten.
    private static let widestRule: Float = 0.2
    /// The share of its box that a bar fills.
    private static let leastSolid: Float = 0.8
    /// The room above and below a line's letters by which a rule is told from a letter, as a share of the line's height.
    private static let leastMargin: Float = 0.06

    private func isNarrow(_ height: Float) -> Bool { self.area < (self.box.y1 - self.box.y0) * height / 8 }

    /// The pieces of a line, in the order of the components that `labeler` finds.
    static func pieces(of ink: borrowing ForegroundMask, by labeler: inout ComponentLabeler) -> [ConnectedComponent] {
        labeler.label(
            ink.ink,
            width: ink.width,
            height: ink.height,
            stride: ink.width,
            above: ForegroundMask.threshold,
            // No stroke of a letter is longer than the line is high: this is a rule or an underline.
            longestRun: ink.height
        )
        return (0..<labeler.componentCount).map { ConnectedComponent(labeler.runs(of: $0), rules: labeler.longRuns) }
    }

    /// The rows in which a line's letters stand: the median top and bottom of the pieces that touch neither edge nor
    /// a rule.
    ///
    /// - Parameters:
    ///   - pieces: All pieces of the line.
    ///   - height: Of the line.
    /// - Returns: The rows; the middle two thirds where every piece touches an edge.
    static func core(of pieces: [ConnectedComponent], height: Int) -> ClosedRange<Float> {
        let height = Float(height)
        // Dots, commas and accents say little about where letters stand.
        let letters = pieces.filter { $0.cuts(height) == (false, false) && $0.box.y1 - $0.box.y0 > height / 5 }
        guard !letters.isEmpty else { return height / 6...height * 5 / 6 }
        let tops = letters.map(\.box.y0).sorted()
        let bottoms = letters.map(\.box.y1).sorted()
        let top = tops[tops.count / 2]
        return top...max(top + 1, bottoms[bottoms.count / 2])
    }

    /// Pieces that share at least this much of the narrower one's width belong together.
    private static let sharedWidth: Float = 0.5

    /// The letters that pieces make up, from left to right: what stands above one another is one letter.
    ///
    /// - Parameter pieces: Of a line.
    /// - Returns: The box of each letter, and which of the pieces it consists of.
    static func letters(of pieces: [ConnectedComponent]) -> [(box: BoundingBox, pieces: [Int])] {
        var letters: [(box: BoundingBox, pieces: [Int])] = []
        for index in pieces.indices.sorted(by: { pieces[$0].box.x0 < pieces[$1].box.x0 }) {
            let piece = pieces[index].box
            guard let last = letters.last?.box else {
                letters.append((piece, [index]))
                continue
            }
            let shared = min(last.x1, piece.x1) - max(last.x0, piece.x0)
            if shared >= Self.sharedWidth * min(last.x1 - last.x0, piece.x1 - piece.x0) {
                letters[letters.count - 1].box = last.union(piece)
                letters[letters.count - 1].pieces.append(index)
            } else {
                letters.append((piece, [index]))
            }
        }
        return letters
    }
}

extension ComponentLabeler.Run {
    /// Whether it touches one of some runs, which stand in the order of their rows and columns, in a row next to its own.
    fileprivate func touches(_ others: [Self], inRow row: Int32) -> Bool {
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if (others[middle].row, others[middle].end) < (row, self.first) { low = middle + 1 } else { high = middle }
        }
        return low < others.count && others[low].row == row && others[low].first <= self.end
    }
}
