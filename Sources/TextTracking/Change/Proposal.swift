internal import TextModel

/// Proposal of a coarse scan: a place that may show text.
struct Proposal {
    /// Box in sent pixels; it is rough.
    let place: Quad
    /// Score of the coarse scan, 0...1.
    let score: Float

    /// Bounding box of ``place``.
    var bounds: Box { Box(around: self.place, margin: 0) }
}

extension Quad {
    private enum Tuning {
        /// Length that known lines leave uncovered of what they explain, in its heights.
        ///
        /// Boxes of a coarse scan extend farther than those of a full one, by less than a letter. Chosen by eye.
        static let maxUncovered: Float = 0.8
    }

    /// Whether known lines are what a scan has seen here.
    func isExplained(by lines: [Quad]) -> Bool {
        self.longestInterval(outside: lines) <= Tuning.maxUncovered * min(self.width, self.height)
    }
}
