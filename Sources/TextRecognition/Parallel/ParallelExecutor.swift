/// Threads that take part in the work on a frame while they have nothing of their own to do.
public protocol ParallelExecutor: Sendable {
    /// Does pieces of work, on the caller's thread and on those that help, in any order; returns when all are done.
    ///
    /// - Parameters:
    ///   - count: How many pieces there are.
    ///   - body: Does the piece of an index, also while another thread does another; has no help of its own.
    func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void)
}

extension ParallelExecutor {
    /// What comes of each of some pieces of work, in their order.
    ///
    /// - Throws: What the first piece threw that threw anything.
    func map<Piece: Sendable, Value: Sendable, Failure: Error>(
        _ pieces: [Piece],
        _ body: @escaping @Sendable (Piece) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        typealias Outcome = Result<Value, Failure>
        // Safe because each piece has a place of its own, and all are done before any is looked at.
        nonisolated(unsafe) let outcomes = UnsafeMutablePointer<Outcome>.allocate(capacity: pieces.count)
        defer { outcomes.deallocate() }
        self.run(pieces.count) { index in
            let outcome = Outcome { () throws(Failure) in try body(pieces[index]) }
            (outcomes + index).initialize(to: outcome)
        }
        defer { outcomes.deinitialize(count: pieces.count) }
        var values: [Value] = []
        values.reserveCapacity(pieces.count)
        for outcome in UnsafeBufferPointer(start: outcomes, count: pieces.count) { values.append(try outcome.get()) }
        return values
    }
}
