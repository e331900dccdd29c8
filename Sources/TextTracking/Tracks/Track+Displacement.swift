internal import TextModel

/// Displacement of a line to a place where one of the same size was detected.
extension Track {
    private enum Tuning {
        /// Least displacement in heights of the line: nearer by, its template has been matched already; chosen by eye.
        static let minDisplacement: Float = 0.5
        /// Largest difference in length and height of two boxes of one line, in its heights; chosen by eye.
        static let maxDifference: Float = 0.3
    }

    /// Whether a place may be that of the line after a displacement.
    func isDisplaced(to place: Quad) -> Bool {
        let (old, new) = (self.place, place.turned(towards: self.place))
        let height = min(old.width, old.height)
        return max(abs(old.width - new.width), abs(old.height - new.height)) < Tuning.maxDifference * height
            && self.distance(to: place) > Tuning.minDisplacement * height
    }

    /// Distance between the centres of the line and of a place.
    func distance(to place: Quad) -> Float { self.place.centre.distance(to: place.centre) }

    /// Motion from the frame where the line was anchored to a place in the latest frame.
    func motion(to place: Quad) -> Affine {
        let (from, to) = (self.place.centre, place.centre)
        return self.motion.then(Affine(x: to.x - from.x, y: to.y - from.y))
    }
}
