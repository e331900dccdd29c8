/// Exponential back-off of attempts that are repeated without end.
package struct BackOff: Sendable {
    private let policy: ReconnectPolicy
    /// Number of failures in a row.
    private var failures = 0

    /// Creates a back-off with the delays of a policy, whose maximum number of attempts does not count.
    package init(_ policy: ReconnectPolicy) {
        self.policy = policy
    }

    /// Creates a back-off with delays from one to another.
    ///
    /// The defaults are for a camera or a broker: long enough not to burden one that starts, short enough to miss
    /// little of it.
    package init(from initialDelay: Duration = .seconds(1), to maxDelay: Duration = .seconds(30)) {
        self.init(ReconnectPolicy(initialDelay: initialDelay, maxDelay: maxDelay))
    }

    /// Whether the last attempt failed.
    package var hasFailed: Bool { self.failures > 0 }

    /// Counts a failure.
    ///
    /// - Returns: The delay before the next attempt.
    package mutating func failed() -> Duration {
        self.failures += 1
        return self.policy.delay(before: self.failures)
    }

    /// Begins again with the shortest delay.
    package mutating func succeeded() { self.failures = 0 }
}
