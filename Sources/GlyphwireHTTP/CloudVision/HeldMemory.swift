internal import GlyphwireServer
internal import Synchronization

/// What one request holds of the memory that all clients have together.
final class HeldMemory: Sendable {
    private let reader: LocalReader
    private let byteCount = Atomic<Int>(0)

    /// Nothing is held yet, on behalf of `reader`.
    init(_ reader: LocalReader) {
        self.reader = reader
    }

    /// Counts bytes that are held from now on.
    ///
    /// - Parameter byteCount: Bytes that have come, or are about to be made.
    /// - Returns: Whether there is memory for them. If not, the request should be given up.
    func add(_ byteCount: Int) -> Bool {
        self.byteCount.wrappingAdd(byteCount, ordering: .relaxed)
        return self.reader.hold(byteCount)
    }

    /// Bytes of ``add(_:)`` are held no more.
    func remove(_ byteCount: Int) {
        self.byteCount.wrappingSubtract(byteCount, ordering: .relaxed)
        self.reader.release(byteCount)
    }

    /// Nothing is held any more.
    func removeAll() { self.reader.release(self.byteCount.exchange(0, ordering: .relaxed)) }
}
