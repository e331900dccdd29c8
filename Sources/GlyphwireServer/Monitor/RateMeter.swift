/// Meter of events per second over a sliding window.
struct RateMeter: Sendable {
    /// Window in seconds, with the current one.
    static let window = 10

    /// Event counts of the last seconds, as a ring buffer.
    private var counts = [Int](repeating: 0, count: Self.window)
    /// Second of the last event.
    private var second = 0

    /// Counts an event.
    ///
    /// - Parameter second: Whole seconds since any fixed time; must not decrease.
    mutating func record(at second: Int) {
        self.advance(to: second)
        self.counts[second % Self.window] += 1
    }

    /// Average rate over the window.
    ///
    /// - Parameters:
    ///   - now: Time since the same fixed time.
    ///   - age: How long events have been counted.
    /// - Returns: Events per second; within the first second, the events so far.
    func perSecond(at now: Duration, age: Duration) -> Double {
        var meter = self
        let second = Int(now.components.seconds)
        meter.advance(to: second)
        // The current second counts by the part of it that has passed.
        let covered = min(now / .seconds(1) - Double(second) + Double(Self.window - 1), age / .seconds(1))
        return Double(meter.counts.reduce(0, +)) / max(covered, 1)
    }

    private mutating func advance(to second: Int) {
        guard second > self.second else { return }
        for passed in max(self.second + 1, second - Self.window + 1)...second { self.counts[passed % Self.window] = 0 }
        self.second = second
    }
}
