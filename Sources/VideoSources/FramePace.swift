/// Pace at which frames of a live source are taken: on average no faster than a rate.
struct FramePace {
    private let frameDuration: Duration
    /// Time from which the next frame is taken; `nil` before the first.
    private var next: ContinuousClock.Instant?

    /// Creates a pace of `rate`.
    init(_ rate: FrameRate) { self.frameDuration = rate.frameDuration }

    /// Decides whether to take a frame.
    ///
    /// A late frame does not delay those after it, so that a source of about this rate loses none.
    ///
    /// - Parameter time: The time at which it has come.
    /// - Returns: Whether it is taken.
    mutating func takesFrame(at time: ContinuousClock.Instant) -> Bool {
        let due = self.next ?? time
        guard time >= due else { return false }
        self.next = max(due, time - self.frameDuration) + self.frameDuration
        return true
    }
}
