/// Memory that one frame after the other is decoded into.
///
/// It grows to what a frame needs and is kept, so that a stream of equal frames allocates nothing. Once a whole
/// ``reviewInterval`` of frames got by with less than half of it, it shrinks to the largest of them: one large frame does
/// not cost its memory for ever.
@safe
struct ReusedBuffer: ~Copyable {
    /// The start of the memory is a multiple of this: a cache line, and the widest vector of today.
    static let alignment = 64
    /// How many uses pass between two looks at whether the memory is too large.
    static let reviewInterval = 256

    /// Bytes held.
    private(set) var byteCount = 0
    private var memory: UnsafeMutableRawPointer?
    private var largestUse = 0
    private var uses = 0

    init() {}

    deinit {
        unsafe self.memory?.deallocate()
    }

    /// Memory for `byteCount` bytes, valid until the next call; what it holds is left over from earlier frames.
    mutating func reserve(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        self.largestUse = max(self.largestUse, byteCount)
        self.uses += 1
        if byteCount > self.byteCount {
            self.replace(with: byteCount)
        } else if self.uses >= Self.reviewInterval {
            if self.largestUse < self.byteCount / 2 { self.replace(with: self.largestUse) }
            self.largestUse = byteCount
            self.uses = 0
        }
        return unsafe UnsafeMutableRawBufferPointer(start: self.memory, count: byteCount)
    }

    /// The old memory goes first, so that both never exist at once.
    private mutating func replace(with byteCount: Int) {
        unsafe self.memory?.deallocate()
        unsafe self.memory = .allocate(byteCount: byteCount, alignment: Self.alignment)
        self.byteCount = byteCount
    }
}
