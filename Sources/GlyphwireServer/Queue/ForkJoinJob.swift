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

    /// A job of `count` pieces.
    init(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        self.count = count
        self.body = body
    }

    /// Whether pieces are left that no worker has begun.
    var isOpen: Bool { self.condition.withLock { self.begun < self.count } }

    /// Does a piece, and more while any are left and the worker is not wanted elsewhere.
    func takePart(until isWanted: () -> Bool) {
        repeat { guard self.doPiece() else { return } } while !isWanted()
    }

    /// Does the pieces that are left, and returns when those of other workers are done as well.
    func finish() {
        while self.doPiece() {}
        self.condition.withLock { while self.ended < self.count { self.condition.wait() } }
    }

    /// Does one piece, unless all are begun.
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
