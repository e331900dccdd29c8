extension Int {
    /// Whole part of a number, clamped to a range; for what is no number, as in a degenerate quad, that of 0.
    package init(clamping value: Float, to range: ClosedRange<Int>) {
        let value = value.isNaN ? 0 : value
        if value <= Float(range.lowerBound) {
            self = range.lowerBound
        } else if value >= Float(range.upperBound) {
            self = range.upperBound
        } else {
            self = Int(value)
        }
    }
}
