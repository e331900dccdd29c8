internal import GlyphwireProtocol
internal import NIOCore
internal import TextRecognition

/// A fixed number of threads that read frames, each with a decoder and a reader of its own; those that have no frame help those
/// that have one.
struct WorkerPool: Sendable {
    private let queue: FrameQueue
    /// Of each thread, when it has ended.
    private var ends: [EventLoopFuture<Void>] = []
    /// When nobody needs to wait for threads any more.
    private let isOver: EventLoopPromise<Void>

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - core: Whose frames are read; its queue stops with the pool.
    ///   - eventLoop: Of the pool's own promises.
    /// - Throws: ``GlyphwireServerError``; threads that were started end by themselves then.
    init(core: ServerCore, on eventLoop: any EventLoop) throws(GlyphwireServerError) {
        self.queue = core.queue
        self.isOver = eventLoop.makePromise()
        for number in 0..<core.configuration.workers {
            let hasEnded = eventLoop.makePromise(of: Void.self)
            do throws(GlyphwireServerError) {
                try WorkerThread.start(name: "worker-\(number)") {
                    Self.work(for: core)
                    hasEnded.succeed()
                }
            } catch {
                hasEnded.succeed()
                self.isOver.succeed()
                self.queue.stop()
                throw error
            }
            self.ends.append(hasEnded.futureResult)
        }
    }

    /// Stops the queue, and waits until every thread has finished what was in it, or all of it is given up.
    func stop() async {
        self.queue.stop()
        EventLoopFuture.andAllComplete(self.ends, promise: self.isOver)
        // The promise never fails.
        try? await self.isOver.futureResult.get()
    }

    /// Stops the queue, answers all frames that wait or are in work with an error, and leaves threads that are still at one
    /// to themselves.
    func giveUp() {
        for job in self.queue.giveUp() { job.finish(job.unread(.error(.serverStops), at: .now), job) }
        self.isOver.succeed()
    }

    /// A thread's life.
    private static func work(for core: ServerCore) {
        let reader = core.engine.makeReader(executor: core.queue)
        let worker = FrameWorker(reader: reader, limits: core.configuration.limits.wire)
        // Lines of one stream are about as long as each other.
        var expectedByteCount = 1024
        while let task = core.queue.next() {
            switch task {
            case .read(let job):
                let frame = worker.answer(job, expectedByteCount: expectedByteCount)
                if case .ok = frame.result.outcome {
                    expectedByteCount = frame.line.readableBytes + frame.line.readableBytes / 4
                }
                if core.queue.finished(job) { job.finish(frame, job) }
            case .help(let work):
                work.takePart(until: { core.queue.isServable })
            }
        }
    }
}

extension WireError {
    /// What frames are told that a server has no time for because it ends.
    static let serverStops = WireError(.internalError, "the server is stopping; ask another, or again later")
}
