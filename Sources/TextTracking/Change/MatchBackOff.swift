/// Back-off of template matching before a moving camera where it does not pay: on pages of which no line is found again.
///
/// To match hundreds of lines in vain takes as long as to detect them. After two frames that lost nearly all of them the next one
/// is read as a single frame is, then the next two, and so on, until a frame matches some. Words keep their ids.
struct MatchBackOff {
    private enum Tuning {
        /// Number of tracks below which matching costs too little to leave it out; chosen by eye.
        static let minCount = 16
        /// Least share of the tracks that are found again where matching pays.
        ///
        /// Matching takes a twentieth of the time of a page that is read, and spares it for this share (streams log, *Work that
        /// does not pay*).
        static let minMatchedShare: Float = 0.05
        /// Frames in a row that are matched in vain before one is not: a cut between two pages is one of them; chosen by eye.
        static let minFailures = 2
        /// Frames that are not matched in a row at most; chosen by eye.
        static let maxInterval = 8
    }

    /// Frames in a row that were matched in vain.
    private var failures = 0
    /// Frames left that are not matched.
    private var remaining = 0
    /// Whether the tracks were to be matched in the latest frame.
    private var isUsed = false

    /// Begins another frame.
    ///
    /// One before a camera that stands still, in which no track is matched so, ends the back-off.
    mutating func nextFrame() {
        if !self.isUsed { self = MatchBackOff() }
        self.isUsed = false
    }

    /// Whether the latest frame with `count` tracks is left out, which is asked once.
    mutating func skips(_ count: Int) -> Bool {
        self.isUsed = true
        guard count >= Tuning.minCount, self.remaining > 0 else { return false }
        self.remaining -= 1
        return true
    }

    /// Records how many of the tracks were matched in a frame that was not left out.
    mutating func record(matched: Int, of count: Int) {
        guard count >= Tuning.minCount, Float(matched) < Tuning.minMatchedShare * Float(count) else {
            (self.failures, self.remaining) = (0, 0)
            return
        }
        self.failures += 1
        if self.failures >= Tuning.minFailures {
            self.remaining = min(Tuning.maxInterval, 1 << min(self.failures - Tuning.minFailures, Tuning.maxInterval))
        }
    }
}
