/// Faulty clients to run beside the normal ones.
package struct FaultPlan: Sendable, Equatable {
    /// Number of connections that send frames and read results very slowly.
    package var slowReaders = 0
    /// Number of bytes of the session after which connections are closed, in succession; `nil` for none.
    package var cutAfter: Int?
    /// Number of connections per second that are opened and closed at once.
    package var reconnects = 0
    /// Share of damaged payloads on one further connection, 0...1.
    package var corrupt = 0.0
    /// Random seed.
    package var seed: UInt64 = 1

    /// Creates a plan without faulty clients.
    package init() {}

    /// Whether the plan has no faulty clients.
    package var isEmpty: Bool {
        self.slowReaders == 0 && self.cutAfter == nil && self.reconnects == 0 && self.corrupt == 0
    }
}
