internal import Synchronization

/// Memory budget: the bytes of one kind that all connections hold together, and their limit.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let held = Atomic<Int>(0)

    /// A budget of `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes held now.
    var heldByteCount: Int { self.held.load(ordering: .relaxed) }

    /// Whether more bytes are held than the limit.
    var isExceeded: Bool { self.heldByteCount > self.limit }

    /// Adds `byteCount` bytes, or removes them where it is negative.
    func add(_ byteCount: Int) { self.held.wrappingAdd(byteCount, ordering: .relaxed) }
}
