package import GlyphwireProtocol
internal import NIOCore
internal import TextRecognition

/// Pool of worker threads that read frames, each with its own decoder and reader.
///
/// Workers without a frame take part in the fork-join jobs of the others.
struct WorkerPool: Sendable {
    private let queue: FrameQueue
    /// Futures of the threads' ends.
    private var ends: [EventLoopFuture<Void>] = []
    /// Promise that completes when the threads have ended, or are no longer waited for.
    private let isOver: EventLoopPromise<Void>

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - queue: The queue of frames, which stops with the pool.
    ///   - engine: The engine that makes a reader for each thread.
    ///   - limits: The limits of frames.
    ///   - eventLoop: The event loop of the pool's promises.
    /// - Throws: ``GlyphwireServerError``; then threads that were started end by themselves.
    init(
        count: Int,
        queue: FrameQueue,
        engine: any ReadingEngine,
        limits: WireLimits,
        on eventLoop: any EventLoop
    ) throws(GlyphwireServerError) {
        self.queue = queue
        self.isOver = eventLoop.makePromise()
        for number in 0..<count {
            let hasEnded = eventLoop.makePromise(of: Void.self)
            do throws(GlyphwireServerError) {
                try WorkerThread.start(name: "worker-\(number)") {
                    Self.work(on: queue, engine: engine, limits: limits)
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

    /// Stops the queue, and waits until its frames are answered or abandoned.
    func stop() async {
        self.queue.stop()
        EventLoopFuture.andAllComplete(self.ends, promise: self.isOver)
        // The promise never fails.
        try? await self.isOver.futureResult.get()
    }

    /// Stops the queue, and answers all its frames with an error.
    ///
    /// Threads that are still reading one are not waited for.
    func abandonFrames() {
        for job in self.queue.abandonAll() { job.finish(job.unread(.error(.serverStops), at: .now), job) }
        self.isOver.succeed()
    }

    /// The loop of one thread.
    private static func work(on queue: FrameQueue, engine: any ReadingEngine, limits: WireLimits) {
        let worker = FrameWorker(reader: engine.makeReader(executor: queue), limits: limits)
        // Lines of one stream have similar lengths.
        var expectedByteCount = 1024
        while let task = queue.next() {
            switch task {
            case .read(let job):
                let frame = worker.answer(job, expectedByteCount: expectedByteCount)
                if case .ok = frame.result.outcome {
                    expectedByteCount = frame.line.readableBytes + frame.line.readableBytes / 4
                }
                if queue.finished(job) { job.finish(frame, job) }
            case .join(let forkJoin):
                forkJoin.takePart(until: { queue.isServable })
            }
        }
    }
}

extension WireError {
    /// Error of frames that a stopping server does not read.
    package static let serverStops = WireError(
        .internalError,
        "the server is stopping; send it again on a new connection"
    )
}
