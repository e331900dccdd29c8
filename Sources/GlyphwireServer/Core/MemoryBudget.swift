internal import Synchronization

/// Memory budget of all connections for bytes of one kind.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let held = Atomic<Int>(0)

    /// Creates a budget of `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Number of bytes held now.
    var heldByteCount: Int { self.held.load(ordering: .relaxed) }

    /// Whether more bytes are held than the limit.
    var isExceeded: Bool { self.heldByteCount > self.limit }

    /// Whether more than half of the limit is held: what can wait waits, so that there is room for what cannot.
    var isScarce: Bool { self.heldByteCount > self.limit / 2 }

    /// Adds `byteCount` bytes if that does not exceed the limit.
    ///
    /// - Returns: Whether it has added them.
    func addIfRoom(_ byteCount: Int) -> Bool {
        var held = self.heldByteCount
        while held + byteCount <= self.limit {
            let (isAdded, current) = self.held.weakCompareExchange(
                expected: held,
                desired: held + byteCount,
                ordering: .relaxed
            )
            if isAdded { return true }
            held = current
        }
        return false
    }

    /// Adds `byteCount` bytes, or removes them where it is negative.
    func add(_ byteCount: Int) { self.held.wrappingAdd(byteCount, ordering: .relaxed) }
}
