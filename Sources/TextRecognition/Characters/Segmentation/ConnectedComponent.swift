/// Connected component of a line's foreground, in pixels of the rectified line.
struct ConnectedComponent {
    let box: BoundingBox
    /// Area in pixels.
    let area: Float
    /// Whether it touches a rule above it.
    private let hangsOnRule: Bool
    /// Whether it touches a rule below it.
    private let standsOnRule: Bool

    private enum Tuning {
        /// Largest width of a vertical rule, as a share of the line's height; not measured.
        ///
        /// A rule of two pixels beside letters of ten has it.
        static let maxRuleWidth: Float = 0.2
        /// Share of its box that a bar fills at least; not measured.
        static let minRuleFill: Float = 0.8
        /// Least width of a horizontal bar in heights; not measured.
        static let minBarElongation: Float = 2.5
        /// Margin above and below the text beside a vertical rule, as a share of the line's height; not measured.
        static let minRuleMargin: Float = 0.06
        /// Most mean width of a side of a table between two rules: one over this many line heights.
        ///
        /// Pages 0.938 → 0.947 at `fast`, with the least confidence of a line (accuracy log, *Remains of rules and sign edges*).
        static let sideDivisor: Float = 8
        /// Least share of the text band, or of itself, that a component at an edge has in common; not measured.
        static let minBandOverlap: Float = 0.5
        /// Least height of a component that shows the text band: the line's over this number; not measured.
        static let bandDivisor: Float = 5
        /// Share of the narrower width from which components above one another are one character; not measured.
        static let minColumnOverlap: Float = 0.5
    }

    /// Creates a component.
    ///
    /// - Parameters:
    ///   - runs: The runs of the component.
    ///   - rules: Runs that are too long for a character; see ``ComponentLabeler/longRuns``.
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

    /// Returns on which sides an edge of the line or a rule cuts the component off.
    private func cutSides(_ height: Float) -> (above: Bool, below: Bool) {
        (self.box.y0 <= 0 || self.hangsOnRule, self.box.y1 >= height || self.standsOnRule)
    }

    /// Whether the component belongs to a neighbouring line or is the remains of a rule.
    ///
    /// - Parameters:
    ///   - band: The rows of the line's text; see ``textBand(of:height:)``.
    ///   - height: The height of the line.
    /// - Returns: Whether to ignore the component.
    func isForeign(to band: ClosedRange<Float>, height: Int) -> Bool {
        let height = Float(height)
        let isCut = self.cutSides(height)
        if isCut.above, isCut.below {
            return self.isNarrow(height) || self.isVerticalRule(beside: band, height: Int(height))
        }
        guard isCut.above || isCut.below else { return false }
        // What enters at an edge and hardly reaches the text belongs to a neighbouring line.
        let shared = min(self.box.y1, band.upperBound) - max(self.box.y0, band.lowerBound)
        return shared < Tuning.minBandOverlap * min(self.box.height, band.upperBound - band.lowerBound)
    }

    /// Whether the component is a vertical rule, such as the side of a frame or a table.
    ///
    /// A rule is a straight bar from the line's upper edge to its lower one, where the text reaches neither.
    func isVerticalRule(beside band: ClosedRange<Float>, height: Int) -> Bool {
        let height = Float(height)
        return self.box.y0 <= 0 && self.box.y1 >= height && self.box.width <= Tuning.maxRuleWidth * height
            && self.area >= Tuning.minRuleFill * self.box.width * height
            && band.lowerBound >= Tuning.minRuleMargin * height
            && band.upperBound <= (1 - Tuning.minRuleMargin) * height
    }

    /// Whether the component is a horizontal bar, such as a dash or an underscore.
    var isBar: Bool {
        self.box.width >= Tuning.minBarElongation * self.box.height
            && self.area >= Tuning.minRuleFill * self.box.width * self.box.height
    }

    private func isNarrow(_ height: Float) -> Bool { self.area < self.box.height * height / Tuning.sideDivisor }

    /// Returns the components of a line, in the order of the components of `labeler`.
    static func components(
        of mask: borrowing ForegroundMask,
        by labeler: inout ComponentLabeler
    ) -> [ConnectedComponent] {
        labeler.label(
            mask.pixels,
            width: mask.width,
            height: mask.height,
            stride: mask.width,
            above: ForegroundMask.threshold,
            // No stroke of a character is longer than the line is high: this is a rule or an underline.
            longestRun: mask.height
        )
        return (0..<labeler.componentCount).map { ConnectedComponent(labeler.runs(of: $0), rules: labeler.longRuns) }
    }

    /// Returns the text band: the median top and bottom of the components that no edge or rule cuts off.
    ///
    /// - Parameters:
    ///   - components: All components of the line.
    ///   - height: The height of the line.
    /// - Returns: The rows; the middle two thirds where every component is cut off.
    static func textBand(of components: [ConnectedComponent], height: Int) -> ClosedRange<Float> {
        let height = Float(height)
        // Dots, commas and accents show little of where the text is.
        let characters = components.filter {
            $0.cutSides(height) == (false, false) && $0.box.height > height / Tuning.bandDivisor
        }
        guard !characters.isEmpty else { return height / 6...height * 5 / 6 }
        let tops = characters.map(\.box.y0).sorted()
        let bottoms = characters.map(\.box.y1).sorted()
        let top = tops[tops.count / 2]
        return top...max(top + 1, bottoms[bottoms.count / 2])
    }

    /// Components above one another, which are one character or several that touch.
    struct Group {
        var box: BoundingBox
        /// Indices of the components.
        var members: [Int]
    }

    /// Groups components that share columns, from left to right.
    static func groups(of components: [ConnectedComponent]) -> [Group] {
        var groups: [Group] = []
        for index in components.indices.sorted(by: { components[$0].box.x0 < components[$1].box.x0 }) {
            let box = components[index].box
            guard let last = groups.last?.box else {
                groups.append(Group(box: box, members: [index]))
                continue
            }
            let shared = min(last.x1, box.x1) - max(last.x0, box.x0)
            if shared >= Tuning.minColumnOverlap * min(last.width, box.width) {
                groups[groups.count - 1].box = last.union(box)
                groups[groups.count - 1].members.append(index)
            } else {
                groups.append(Group(box: box, members: [index]))
            }
        }
        return groups
    }
}

extension ComponentLabeler.Run {
    /// Whether it touches one of the runs in a neighbouring row; `others` is sorted by row and column.
    fileprivate func touches(_ others: [Self], inRow row: Int32) -> Bool {
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if (others[middle].row, others[middle].end) < (row, self.first) { low = middle + 1 } else { high = middle }
        }
        return low < others.count && others[low].row == row && others[low].first <= self.end
    }
}
