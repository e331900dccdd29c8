/// Policy for reconnecting with exponential back-off.
///
/// A frame that was sent and not answered is not sent again. It has a result with
/// ``GlyphwireProtocol/WireError/Code/connectionLost``, so that every frame has exactly one result.
public struct ReconnectPolicy: Sendable, Hashable {
    /// Maximum number of failed attempts in a row; 10 by default.
    public var maxAttempts: Int
    /// Delay before the first attempt; 100 milliseconds by default.
    public var initialDelay: Duration
    /// Factor by which each delay exceeds the previous one; 2 by default.
    public var multiplier: Double
    /// Maximum delay; 10 seconds by default.
    public var maxDelay: Duration
    /// Random share of a delay, so that many clients do not reconnect at once; 0.2 by default.
    public var jitter: Double

    /// Creates a policy; each value has its default unless given.
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

    /// Returns the delay before an attempt.
    ///
    /// - Parameter attempt: 1 for the first since the connection was lost.
    /// - Returns: At most ``maxDelay``, and shorter than the regular delay by up to ``jitter`` of it.
    package func delay(before attempt: Int) -> Duration {
        var delay = min(self.initialDelay, self.maxDelay)
        for _ in 1..<max(attempt, 1) where delay < self.maxDelay {
            delay = min(delay * max(self.multiplier, 1), self.maxDelay)
        }
        return delay * (1 - Double.random(in: 0...min(max(self.jitter, 0), 1)))
    }
}
