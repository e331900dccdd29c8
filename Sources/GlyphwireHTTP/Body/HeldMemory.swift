internal import GlyphwireServer
internal import Synchronization

/// Share of one request in the memory for all clients' payloads.
final class HeldMemory: Sendable {
    private let reader: LocalReader?
    private let byteCount = Atomic<Int>(0)

    /// Creates an empty share in the budget of `reader`; without one everything has room, and nothing is counted.
    init(_ reader: LocalReader?) {
        self.reader = reader
    }

    /// Adds bytes.
    ///
    /// - Parameter byteCount: Number of bytes that are received or about to be allocated.
    /// - Returns: Whether the budget has room. If not, the request should be rejected.
    func add(_ byteCount: Int) -> Bool {
        guard let reader = self.reader else { return true }
        self.byteCount.wrappingAdd(byteCount, ordering: .relaxed)
        return reader.hold(byteCount)
    }

    /// Adds bytes that are about to be allocated, if the budget has room for them.
    ///
    /// - Returns: Whether it has; otherwise they are not counted.
    func addIfRoom(_ byteCount: Int) -> Bool {
        guard let reader = self.reader else { return true }
        guard reader.holdIfRoom(byteCount) else { return false }
        self.byteCount.wrappingAdd(byteCount, ordering: .relaxed)
        return true
    }

    /// Removes bytes of ``add(_:)``.
    func remove(_ byteCount: Int) {
        self.byteCount.wrappingSubtract(byteCount, ordering: .relaxed)
        self.reader?.release(byteCount)
    }

    /// Removes bytes until at most `byteCount` are left.
    func removeAll(butAtMost byteCount: Int = 0) {
        self.remove(max(0, self.byteCount.load(ordering: .relaxed) - byteCount))
    }
}
