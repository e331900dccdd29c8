/// Clock of a run, which tests can replace.
package struct ReplayClock: Sendable {
    /// Current time.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Sleeps until a time, or throws `CancellationError`.
    package var sleep: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// Creates a clock from two functions.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// System clock, which continues while the machine sleeps.
    package static let continuous = ReplayClock(
        now: { ContinuousClock.now },
        sleep: { try await Task.sleep(until: $0, clock: .continuous) }
    )
}
