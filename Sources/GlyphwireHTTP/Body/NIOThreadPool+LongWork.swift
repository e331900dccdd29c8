internal import NIOPosix

extension NIOThreadPool {
    /// Runs work that takes long without waiting, such as taking a body of megabytes apart, off the threads of tasks.
    ///
    /// Those are as many as there are cores, and while they work no other request is answered. A task that is cancelled waits
    /// nevertheless.
    ///
    /// - Parameter work: The work.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws.
    static func runLongWork<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            Self.singleton.submit { _ in continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
