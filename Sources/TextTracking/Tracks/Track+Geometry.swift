internal import TextModel

/// Where tracks lie beside each other and beside detections, in the latest frame.
extension Track {
    private enum Tuning {
        /// Least overlap of two lines along the longer, in heights of the flatter, with which they share a letter.
        ///
        /// That is half the width of one: boxes of neighbouring words overlap by less. Chosen by eye.
        static let minOverlap: Float = 0.3
        /// Largest gap between words that stand in line, in heights of the flatter; chosen by eye.
        static let maxGap: Float = 3
        /// Largest height of a line as a ratio to that of another on the same line; chosen by eye.
        static let maxHeightRatio: Float = 1.6
        /// Least share of a track that a detection covers in order to replace it; chosen by eye.
        static let minCoveredShare: Float = 0.5
    }

    /// Whether a detection shows most of the track.
    func isCovered(by place: Quad) -> Bool {
        self.isCovered(by: place, intersection: self.place.intersectionArea(with: place))
    }

    /// Whether a detection with this intersection shows most of the track.
    func isCovered(by place: Quad, intersection area: Float) -> Bool {
        area > Tuning.minCoveredShare * self.place.area && place.mayShow(self.place)
    }

    /// Whether this and another track are on one line, where they share a letter at least.
    func overlaps(_ other: Track) -> Bool {
        guard let (longer, shorter) = self.boxes(withAsHigh: other), longer.isCollinear(with: shorter) else {
            return false
        }
        let interval = longer.interval(of: shorter)
        let shared = min(1, interval.upperBound) - max(0, interval.lowerBound)
        return shared * longer.width > Tuning.minOverlap * min(longer.height, shorter.height)
    }

    /// Whether this and another track stand in line, as words of one line do.
    func isBeside(_ other: Track) -> Bool {
        guard let (longer, shorter) = self.boxes(withAsHigh: other) else { return false }
        let (interval, across) = (longer.interval(of: shorter), longer.turned(1).fraction(at: shorter.centre))
        let gap = max(interval.lowerBound - 1, -interval.upperBound) * longer.width
        return across > 0 && across < 1 && gap < Tuning.maxGap * min(longer.height, shorter.height)
    }

    /// Boxes of this and another track, turned alike; `nil` unless they are about as high.
    private func boxes(withAsHigh other: Track) -> (longer: Quad, shorter: Quad)? {
        let (ours, theirs) = (self.box, other.box)
        let isLonger = ours.length >= theirs.length
        let (longer, shorter) = isLonger ? (ours.withLongSideUp, theirs) : (theirs.withLongSideUp, ours)
        let turned = shorter.turned(towards: longer)
        let (least, greatest) = (min(longer.height, turned.height), max(longer.height, turned.height))
        return greatest < Tuning.maxHeightRatio * least ? (longer, turned) : nil
    }

    /// Whether a share of another track's line lies in that of this one.
    func contains(_ other: Track, share: Float) -> Bool {
        self.box.intersectionArea(with: other.box) > share * other.box.area
    }
}
