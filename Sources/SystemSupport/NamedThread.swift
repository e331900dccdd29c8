#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Operating-system thread for long or blocking work, which must not hold up an event loop or the task pool.
package enum NamedThread {
    /// Body of a thread, passed through C.
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Parameters:
    ///   - name: The name in tools such as `top -H`, at most 15 bytes.
    ///   - body: The thread's work.
    /// - Throws: ``ThreadError`` if the system cannot start another thread.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let named = Body {
            Self.nameThisThread(name)
            body()
        }
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(named)
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            },
            retained.toOpaque()
        )
        guard status == 0 else {
            retained.release()
            throw ThreadError(name: name, reason: String(cString: strerror(status)))
        }
        pthread_detach(thread)
    }

    /// Waits for work that blocks, on a new thread.
    ///
    /// - Parameters:
    ///   - name: The name in tools such as `top -H`, at most 15 bytes.
    ///   - work: The work.
    ///   - onCancel: Ends the work early where the task is cancelled.
    /// - Returns: What the work returns.
    /// - Throws: ``ThreadError``, or the error of the work.
    package static func run<Value: Sendable>(
        name: String,
        _ work: @escaping @Sendable () throws -> Value,
        onCancel: @escaping @Sendable () -> Void
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                do throws(ThreadError) {
                    try Self.start(name: name) { continuation.resume(with: Result { try work() }) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            onCancel()
        }
    }

    /// Sets the thread's name through `/proc`, since glibc declares `pthread_setname_np` only for GNU C.
    private static func nameThisThread(_ name: String) {
        guard let file = fopen("/proc/thread-self/comm", "w") else { return }
        fputs(name, file)
        fclose(file)
    }
}
