/// Executor that runs all pieces on the caller's thread, one after another.
public struct InlineExecutor: ParallelExecutor {
    /// Creates the executor.
    public init() {}

    /// Does pieces of work; see ``ParallelExecutor/run(_:_:)``.
    public func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        for piece in 0..<count { body(piece) }
    }
}
