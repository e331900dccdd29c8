/// Clock of a stream, by which its text ages: the capture times of a recording, else the arrival times of its frames.
///
/// A recording is sent as fast as it is read. By its own times, the same frames give the same text however long that takes.
struct StreamClock {
    /// Interval between two frames by their capture times; outside it, arrival times count.
    ///
    /// No camera takes more than a thousand frames a second: shorter intervals are in another unit. Longer ones come from a clock
    /// that was set, or from recordings that follow each other.
    private static let captureIntervals: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    /// Time of the latest frame, from the first one.
    private(set) var time = Duration.zero
    private var latest: (arrival: ContinuousClock.Instant, capturedMicroseconds: UInt64)?

    /// Advances the clock to the next frame of the stream.
    ///
    /// - Parameters:
    ///   - arrival: The time of its last byte.
    ///   - capturedMicroseconds: The capture time of a recorded frame; 0 if it is unknown, or the stream is live.
    mutating func advance(to arrival: ContinuousClock.Instant, capturedMicroseconds: UInt64) {
        // A picture that took long to decode may come behind one that was received later.
        defer { self.latest = (max(arrival, self.latest?.arrival ?? arrival), capturedMicroseconds) }
        guard let latest = self.latest else { return }
        let elapsed = max(.zero, arrival - latest.arrival)
        self.time += Self.captureInterval(from: latest.capturedMicroseconds, to: capturedMicroseconds) ?? elapsed
    }

    /// Interval between two capture times; `nil` where it is unknown or not plausible.
    private static func captureInterval(from earlier: UInt64, to later: UInt64) -> Duration? {
        guard earlier > 0, later > earlier else { return nil }
        let interval = Duration.microseconds(Int64(clamping: later - earlier))
        return Self.captureIntervals.contains(interval) ? interval : nil
    }
}
