/// Share of one connection in the server's ``MemoryBudget``.
struct MemoryShare {
    private let budget: MemoryBudget
    /// Bytes of payloads that the queue or a worker holds.
    private var payloadByteCount = 0
    /// Bytes last reported to the budget.
    private var reportedByteCount = 0

    /// An empty share of `budget`.
    init(of budget: MemoryBudget) { self.budget = budget }

    /// Whether all connections together hold more than the budget allows.
    var isExceeded: Bool { self.budget.isExceeded }

    /// A payload of `byteCount` bytes waits for a worker.
    mutating func payloadTaken(byteCount: Int) { self.payloadByteCount += byteCount }

    /// A payload of `byteCount` bytes is no longer needed.
    mutating func payloadReleased(byteCount: Int) { self.payloadByteCount -= byteCount }

    /// Reports the bytes held now, `assembledByteCount` of them by framing.
    mutating func update(assembledByteCount: Int) { self.report(self.payloadByteCount + assembledByteCount) }

    /// The connection is closed.
    mutating func release() { self.report(0) }

    private mutating func report(_ byteCount: Int) {
        guard byteCount != self.reportedByteCount else { return }
        self.budget.add(byteCount - self.reportedByteCount)
        self.reportedByteCount = byteCount
    }
}
