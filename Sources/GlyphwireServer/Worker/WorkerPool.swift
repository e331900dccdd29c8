internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import TextEngine

/// A fixed number of threads that read frames, each with a decoder and a reader of its own.
struct WorkerPool: Sendable {
    private let queue: FrameQueue
    private var stopped: [EventLoopFuture<Void>] = []

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - core: Whose frames are read; its queue stops with the pool.
    ///   - eventLoop: Of the pool's own promises.
    /// - Throws: ``GlyphwireServerError``; threads that were started end by themselves then.
    init(core: ServerCore, on eventLoop: any EventLoop) throws(GlyphwireServerError) {
        self.queue = core.queue
        for number in 0..<core.configuration.workers {
            let hasStopped = eventLoop.makePromise(of: Void.self)
            do throws(GlyphwireServerError) {
                try WorkerThread.start(name: "worker-\(number)") {
                    Self.work(for: core)
                    hasStopped.succeed()
                }
            } catch {
                hasStopped.succeed()
                self.queue.stop()
                throw error
            }
            self.stopped.append(hasStopped.futureResult)
        }
    }

    /// Stops the queue and waits until every thread has finished what was in it.
    func stop() async {
        self.queue.stop()
        for future in self.stopped {
            // These promises never fail.
            try? await future.get()
        }
    }

    /// A thread's life.
    private static func work(for core: ServerCore) {
        let worker = FrameWorker(reader: core.engine.makeReader(), limits: core.configuration.limits.wire)
        // Lines of one stream are about as long as each other.
        var expectedByteCount = 1024
        while let job = core.queue.next() {
            let frame = worker.answer(job, expectedByteCount: expectedByteCount)
            if case .ok = frame.result.outcome {
                expectedByteCount = frame.line.readableBytes + frame.line.readableBytes / 4
            }
            core.queue.finished(job.connection)
            job.finish(frame, job)
        }
    }
}
