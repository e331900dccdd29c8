internal import Synchronization

/// The bytes that all connections hold together of one kind, and how many they may be.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let held = Atomic<Int>(0)

    /// A budget of `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes held now.
    var heldByteCount: Int { self.held.load(ordering: .relaxed) }

    /// Whether more is held than may be.
    var isExceeded: Bool { self.heldByteCount > self.limit }

    /// Someone holds so many bytes more, or fewer, than before.
    func add(_ byteCount: Int) { self.held.wrappingAdd(byteCount, ordering: .relaxed) }
}
