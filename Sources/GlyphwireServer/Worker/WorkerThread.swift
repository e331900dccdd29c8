internal import SystemSupport

/// Thread for a worker, whose long work must not block an event loop or the task pool.
package enum WorkerThread {
    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Parameters:
    ///   - name: The name in tools such as `top -H`, at most 15 bytes.
    ///   - body: The thread's work.
    /// - Throws: ``GlyphwireServerError`` if the system cannot start another thread.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(GlyphwireServerError) {
        do throws(ThreadError) {
            try NamedThread.start(name: name, body)
        } catch {
            throw GlyphwireServerError(.cannotStartWorker, "A worker: \(error), or use fewer workers.")
        }
    }
}
