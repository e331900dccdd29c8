internal import Foundation
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognition

/// What a worker does next.
enum WorkerTask {
    /// It reads a frame; ``FrameQueue/finished(_:)`` must follow.
    case read(FrameJob)
    /// It takes part in the work on another's.
    case help(ForkJoinJob)
}

/// The ``FairQueue`` of frames between the event loops, which fill it, and the worker threads, which wait on it; and the work
/// that those share who have a frame.
// Safe because the state is touched under the condition's lock alone. The lock is not `Synchronization.Mutex`: the thread
// sanitizer sees races where threads have to wait for one on Linux.
final class FrameQueue: @unchecked Sendable {
    private struct State {
        var frames: FairQueue<FrameJob>
        /// What workers have, and nobody else has answered.
        var inWork: [FrameJob.ID: FrameJob] = [:]
        /// Work on frames in which others may take part.
        var shared: [ForkJoinJob] = []
        var isStopped = false

        mutating func popFirst() -> FrameJob? {
            let job = self.frames.popFirst(at: .now)
            if let job { self.inWork[job.id] = job }
            return job
        }
    }

    private let workers: Int
    private var state: State
    /// What idle workers wait on.
    private let condition = NSCondition()

    /// An empty queue for so many workers.
    init(workers: Int) {
        self.workers = workers
        self.state = State(frames: FairQueue(workers: workers))
    }

    /// Frames that wait, of all connections.
    var count: Int { self.load.waiting }

    /// Frames that wait, and frames that workers have.
    var load: (waiting: Int, inWork: Int) {
        self.condition.withLock { (self.state.frames.count, self.state.frames.inWork) }
    }

    /// Puts a frame in line for a worker.
    ///
    /// - Parameter job: The frame.
    /// - Returns: A frame of the same connection that is not read because this one is newer; the frame itself once the
    ///   queue has stopped.
    func append(_ job: FrameJob) -> FrameJob? {
        let manners = FairQueue<FrameJob>.Manners(job.configuration)
        return self.condition.withLock {
            if self.state.isStopped { return job }
            let replaced = self.state.frames.append(job, of: job.connection, manners, at: job.arrival.time)
            self.wakeWorkers()
            return replaced
        }
    }

    /// Waits for the frame whose turn it is, or for work to take part in; `nil` once the queue has stopped and is empty.
    func next() -> WorkerTask? {
        self.condition.withLock {
            while true {
                if let job = self.state.popFirst() {
                    self.wakeWorkers()
                    return .read(job)
                }
                if let work = self.state.shared.first(where: \.isOpen) { return .help(work) }
                if self.state.isStopped, self.state.frames.count == 0 { return nil }
                self.condition.wait()
            }
        }
    }

    /// Takes the frame whose turn it is, without waiting for one; ``finished(_:)`` must follow.
    func popFirst() -> FrameJob? { self.condition.withLock { self.state.popFirst() } }

    /// Whether a worker that helps another should look for a frame of its own.
    var isServable: Bool { self.condition.withLock { self.state.frames.isServable } }

    /// A worker is done with a frame.
    ///
    /// - Returns: Whether it is the worker's to answer; not if it was given up meanwhile.
    func finished(_ job: FrameJob) -> Bool {
        self.condition.withLock {
            let awaited = self.state.inWork.removeValue(forKey: job.id)
            self.state.frames.finished(job.connection)
            self.wakeWorkers()
            return awaited != nil
        }
    }

    /// Forgets the frames of a connection that has gone.
    func remove(_ connection: ConnectionID) {
        self.condition.withLock {
            self.state.frames.remove(connection)
            self.wakeWorkers()
        }
    }

    /// Sends the workers home and takes all frames from them.
    ///
    /// - Returns: The frames that wait and those in work, which the caller has to answer.
    func giveUp() -> [FrameJob] {
        self.condition.withLock {
            defer { self.state.inWork = [:] }
            self.state.isStopped = true
            self.wakeWorkers()
            return self.state.frames.removeAll() + self.state.inWork.values
        }
    }

    /// Sends the workers home once nothing waits.
    func stop() {
        self.condition.withLock {
            self.state.isStopped = true
            self.wakeWorkers()
        }
    }

    /// Has one idle worker look for a frame if there may be one, and all of them whether they are to go home.
    ///
    /// To be called under the lock whenever anything changed that lets them; who takes a frame calls it for the next.
    private func wakeWorkers() {
        if self.state.isStopped {
            self.condition.broadcast()
        } else if self.state.frames.isServable {
            self.condition.signal()
        }
    }
}

extension FrameQueue: ParallelExecutor {
    /// Has workers without a frame take part in the work of the one that calls.
    func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        guard self.workers > 1, count > 1 else { return InlineExecutor().run(count, body) }
        let work = ForkJoinJob(count, body)
        self.condition.withLock {
            self.state.shared.append(work)
            for _ in 1..<min(count, self.workers) { self.condition.signal() }
        }
        work.finish()
        self.condition.withLock { self.state.shared.removeAll { $0 === work } }
    }
}

extension FairQueue.Manners {
    /// How the frames of a stream get along.
    fileprivate init(_ configuration: StreamConfiguration) {
        switch configuration.delivery {
        case .live: self = .replaceable
        case .every: self = configuration.isTemporal ? .alone : .parallel
        }
    }
}
