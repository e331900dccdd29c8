/// Reconnection with exponential back-off.
///
/// A frame that was sent and not answered is not sent again. It gets a result with
/// ``GlyphwireProtocol/WireError/Code/connectionLost``, so that every frame has exactly one result.
public struct ReconnectPolicy: Sendable, Hashable {
    /// How many attempts in a row may fail before the connection is given up; 10 by default.
    public var maxAttempts: Int
    /// The pause before the first attempt; 100 milliseconds by default.
    public var initialDelay: Duration
    /// By how much each pause is longer than the one before; 2 by default.
    public var multiplier: Double
    /// The longest pause; 10 seconds by default.
    public var maxDelay: Duration
    /// Random share of a pause, so that many clients do not return at once; 0.2 by default.
    public var jitter: Double

    /// A policy, each part at its default unless given.
    public init(
        maxAttempts: Int = 10,
        initialDelay: Duration = .milliseconds(100),
        multiplier: Double = 2,
        maxDelay: Duration = .seconds(10),
        jitter: Double = 0.2
    ) {
        self.maxAttempts = maxAttempts
        self.initialDelay = initialDelay
        self.multiplier = multiplier
        self.maxDelay = maxDelay
        self.jitter = jitter
    }

    /// The pause before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first since the connection was lost.
    ///   - generator: The source of randomness.
    /// - Returns: At most ``maxDelay``, and less than the regular pause by up to ``jitter`` of it.
    func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        var delay = min(self.initialDelay, self.maxDelay)
        for _ in 1..<max(attempt, 1) where delay < self.maxDelay {
            delay = min(delay * max(self.multiplier, 1), self.maxDelay)
        }
        return delay * (1 - Double.random(in: 0...min(max(self.jitter, 0), 1), using: &generator))
    }
}
