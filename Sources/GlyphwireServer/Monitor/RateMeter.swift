/// How often something has happened lately.
struct RateMeter: Sendable {
    /// The window in seconds, the one that has begun among them.
    static let window = 10

    /// Counts of the last seconds, in a ring.
    private var counts = [Int](repeating: 0, count: Self.window)
    /// The last second that was counted in.
    private var second = 0

    /// Counts once.
    ///
    /// - Parameter second: Whole seconds since any fixed time; never goes back.
    mutating func record(at second: Int) {
        self.advance(to: second)
        self.counts[second % Self.window] += 1
    }

    /// How often it happened in a second, on average over the window.
    ///
    /// - Parameters:
    ///   - now: Time since the same fixed time.
    ///   - age: For how long there has been something to count.
    /// - Returns: The rate; of what is younger than a second, what happened in it.
    func perSecond(at now: Duration, age: Duration) -> Double {
        var meter = self
        let second = Int(now.components.seconds)
        meter.advance(to: second)
        // The second that has begun counts for as much of it as is over.
        let covered = min(now / .seconds(1) - Double(second) + Double(Self.window - 1), age / .seconds(1))
        return Double(meter.counts.reduce(0, +)) / max(covered, 1)
    }

    private mutating func advance(to second: Int) {
        guard second > self.second else { return }
        for passed in max(self.second + 1, second - Self.window + 1)...second { self.counts[passed % Self.window] = 0 }
        self.second = second
    }
}
