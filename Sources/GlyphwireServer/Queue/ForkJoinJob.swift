internal import Foundation

/// Fork-join job: the pieces of one frame's work, in which idle workers take part.
// Safe because what changes is touched under the condition's lock alone.
final class ForkJoinJob: @unchecked Sendable {
    private let count: Int
    private let body: @Sendable (_ piece: Int) -> Void
    private var begun = 0
    private var ended = 0
    /// The condition that the worker with the frame waits on.
    private let condition = NSCondition()

    /// Creates a job of `count` pieces.
    init(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        self.count = count
        self.body = body
    }

    /// Whether there are pieces that no worker has begun.
    var isOpen: Bool { self.condition.withLock { self.begun < self.count } }

    /// Runs a piece, and more until none are left or the worker is needed elsewhere.
    func takePart(until isWanted: () -> Bool) {
        repeat { guard self.doPiece() else { return } } while !isWanted()
    }

    /// Runs the remaining pieces, and returns when those of other workers are finished too.
    func finish() {
        while self.doPiece() {}
        self.condition.withLock { while self.ended < self.count { self.condition.wait() } }
    }

    /// Runs one piece, unless all are begun.
    private func doPiece() -> Bool {
        let piece = self.condition.withLock {
            defer { self.begun += 1 }
            return self.begun
        }
        guard piece < self.count else { return false }
        self.body(piece)
        self.condition.withLock {
            self.ended += 1
            self.condition.signal()
        }
        return true
    }
}
