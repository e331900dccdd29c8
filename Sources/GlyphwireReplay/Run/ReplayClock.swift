/// What a run takes the time from, so that a test can say what time it is.
package struct ReplayClock: Sendable {
    /// The time.
    package var now: @Sendable () -> ContinuousClock.Instant
    /// Returns when the time has come, or throws `CancellationError`.
    package var sleep: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// A clock of two functions.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock, which goes on while the machine sleeps.
    package static let continuous = ReplayClock(
        now: { ContinuousClock.now },
        sleep: { try await Task.sleep(until: $0, clock: .continuous) }
    )
}
