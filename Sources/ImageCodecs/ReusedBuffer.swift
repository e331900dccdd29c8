/// Buffer that is reused for decoding one frame after another.
///
/// It grows to the largest frame and is kept, so that a stream of equal frames allocates nothing. If ``reviewInterval``
/// frames in a row need less than half of it, it shrinks to the largest of them, so that one large frame does not keep
/// its memory for ever.
@safe
struct ReusedBuffer: ~Copyable {
    /// Alignment of the memory: a cache line, and the widest vector of current processors.
    static let alignment = 64
    /// Number of uses between two checks of whether the memory is too large.
    static let reviewInterval = 256

    /// Number of bytes allocated.
    private(set) var byteCount = 0
    private var memory: UnsafeMutableRawPointer?
    private var largestUse = 0
    private var uses = 0

    init() {}

    deinit {
        unsafe self.memory?.deallocate()
    }

    /// Returns memory for `byteCount` bytes, valid until the next call, with content of earlier frames.
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

    /// Frees the old memory before allocating the new one, so that both never exist together.
    private mutating func replace(with byteCount: Int) {
        unsafe self.memory?.deallocate()
        unsafe self.memory = .allocate(byteCount: byteCount, alignment: Self.alignment)
        self.byteCount = byteCount
    }
}
