/// Schedule of full scans among the coarse scans of a stream in which most changes from frame to frame.
///
/// Text hardly ever comes alone, and a single scan misses some of it: what is faint, blurred or still fading in. So all of the
/// frame is scanned in the first of these frames, in the first after new text, and again soon after, with intervals that double.
/// Where no text is tracked the last interval is repeated, as a coarse scan does not see all text.
struct RescanSchedule {
    private enum Tuning {
        /// Longest interval between two of these scans in frames; where text is tracked, the client's refresh time counts then.
        ///
        /// Chosen by eye.
        static let maxInterval = 8
    }

    /// Frames from the last of these scans to the next; `nil` where none is to come.
    private var interval: Int? = 1
    /// Frames since the last full scan.
    private var elapsed = 0

    /// Whether the latest frame is to be scanned.
    var isDue: Bool { self.interval.map { self.elapsed >= $0 } ?? false }

    /// Begins another frame of which most has changed.
    ///
    /// - Parameter hasText: Whether text is tracked before the frame is scanned.
    mutating func nextFrame(hasText: Bool) {
        self.elapsed += 1
        if !hasText, self.interval == nil { self.interval = Tuning.maxInterval }
    }

    /// Restarts the schedule, as the latest frame showed new text.
    mutating func restart() { self = RescanSchedule() }

    /// Records a full scan of the latest frame, which serves as the next one whatever its reason was.
    ///
    /// - Parameter hasText: Whether text is tracked in the frame.
    mutating func recordScan(hasText: Bool) {
        self.elapsed = 0
        guard let interval = self.interval else { return }
        let isLast = interval >= Tuning.maxInterval
        self.interval = !isLast ? 2 * interval : hasText ? nil : interval
    }
}
