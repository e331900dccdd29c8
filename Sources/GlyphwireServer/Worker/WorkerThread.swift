#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Operating-system thread for a worker, whose long work must not block an event loop or the task pool.
package enum WorkerThread {
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
    /// - Throws: ``GlyphwireServerError`` if the system cannot start another thread.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(GlyphwireServerError) {
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
            let reason = String(cString: strerror(status))
            throw GlyphwireServerError(
                .cannotStartWorker,
                "Cannot start a worker thread (\(reason)): use fewer workers."
            )
        }
        pthread_detach(thread)
    }

    /// Sets the thread's name through `/proc`, since glibc declares `pthread_setname_np` only for GNU C.
    private static func nameThisThread(_ name: String) {
        guard let file = fopen("/proc/thread-self/comm", "w") else { return }
        fputs(name, file)
        fclose(file)
    }
}
