/// A pooled buffer: memory that is kept from one frame to the next, so that a steady stream allocates nothing.
struct ScratchBuffer<Element: BitwiseCopyable>: ~Copyable {
    /// The memory, at least as long as the last reservation.
    private(set) var memory: UnsafeMutableBufferPointer<Element>

    init() { self.memory = UnsafeMutableBufferPointer(start: nil, count: 0) }

    deinit { self.memory.deallocate() }

    /// Makes room for `count` elements, whose values are then undefined unless there was room before.
    mutating func reserve(_ count: Int) {
        guard self.memory.count < count else { return }
        self.memory.deallocate()
        // A quarter more than asked for, since the next line or frame is seldom much larger. Not measured.
        let spare = min(count / 4, Self.maxSpareBytes / MemoryLayout<Element>.stride)
        self.memory = .allocate(capacity: count + spare)
    }

    /// Frees the memory if it has more than some number of bytes.
    mutating func free(beyond byteCount: Int) {
        guard self.memory.count * MemoryLayout<Element>.stride > byteCount else { return }
        self.memory.deallocate()
        self.memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    /// Largest number of bytes beyond those asked for; not measured.
    private static var maxSpareBytes: Int { 1 << 20 }

    /// Makes room for `count` elements and keeps the first `kept`.
    mutating func grow(to count: Int, keeping kept: Int) {
        guard self.memory.count < count else { return }
        // Doubled, so that growing row by row copies each element a constant number of times.
        let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(count, 2 * self.memory.count))
        if let source = self.memory.baseAddress { larger.baseAddress?.update(from: source, count: kept) }
        self.memory.deallocate()
        self.memory = larger
    }

    /// The first element; only to be used after room was made.
    var base: UnsafeMutablePointer<Element> {
        guard let base = self.memory.baseAddress else { preconditionFailure("scratch memory used before it was sized") }
        return base
    }
}
