/// Share of one connection in the server's ``MemoryBudget``.
struct MemoryShare {
    private let budget: MemoryBudget
    /// Number of payload bytes that the queue or a worker holds.
    private var payloadByteCount = 0
    /// Number of bytes last reported to the budget.
    private var reportedByteCount = 0

    /// Creates an empty share of `budget`.
    init(of budget: MemoryBudget) { self.budget = budget }

    /// Whether all connections together hold more than the budget allows.
    var isExceeded: Bool { self.budget.isExceeded }

    /// Whether they hold more than half of it.
    var isScarce: Bool { self.budget.isScarce }

    /// Adds a payload of `byteCount` bytes that waits for a worker.
    mutating func payloadTaken(byteCount: Int) { self.payloadByteCount += byteCount }

    /// Removes a payload of `byteCount` bytes.
    mutating func payloadReleased(byteCount: Int) { self.payloadByteCount -= byteCount }

    /// Reports the bytes held now; framing holds `assembledByteCount` of them.
    mutating func update(assembledByteCount: Int) { self.report(self.payloadByteCount + assembledByteCount) }

    /// Releases the share of a closed connection.
    mutating func release() { self.report(0) }

    private mutating func report(_ byteCount: Int) {
        guard byteCount != self.reportedByteCount else { return }
        self.budget.add(byteCount - self.reportedByteCount)
        self.reportedByteCount = byteCount
    }
}
