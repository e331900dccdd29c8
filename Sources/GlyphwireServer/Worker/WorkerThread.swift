#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Worker thread of the operating system, so that long work blocks neither an event loop nor the task pool.
package enum WorkerThread {
    /// Body of a thread, passed through C.
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Parameters:
    ///   - name: The name in tools such as `top -H`; the first 15 bytes count.
    ///   - body: The thread's work.
    /// - Throws: ``GlyphwireServerError`` if the system refuses another thread.
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

    /// glibc declares `pthread_setname_np` only for GNU C; the kernel takes the name this way as well.
    private static func nameThisThread(_ name: String) {
        guard let file = fopen("/proc/thread-self/comm", "w") else { return }
        fputs(name, file)
        fclose(file)
    }
}
