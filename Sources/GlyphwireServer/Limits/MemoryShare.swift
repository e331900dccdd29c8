internal import GlyphwireProtocol
internal import NIOCore

/// What one connection holds of the server's ``MemoryBudget``.
struct MemoryShare {
    private let budget: MemoryBudget
    /// Payloads that a worker, or the queue, still has.
    private var frameByteCount = 0
    /// What the budget was told last.
    private var told = 0

    /// Nothing of `budget` yet.
    init(of budget: MemoryBudget) { self.budget = budget }

    /// Whether all connections together hold more than they may.
    var isExceeded: Bool { self.budget.isExceeded }

    /// A frame waits for a worker.
    mutating func frameTaken(_ job: FrameJob) { self.frameByteCount += job.payload.readableBytes }

    /// A frame was answered.
    mutating func frameFinished(_ job: FrameJob) { self.frameByteCount -= job.payload.readableBytes }

    /// Tells the budget what is held now.
    mutating func update(_ assembler: MessageAssembler) {
        self.tell(self.frameByteCount + assembler.heldByteCount)
    }

    /// The connection is gone.
    mutating func release() { self.tell(0) }

    private mutating func tell(_ byteCount: Int) {
        guard byteCount != self.told else { return }
        self.budget.add(byteCount - self.told)
        self.told = byteCount
    }
}
