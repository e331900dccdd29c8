internal import CoreMetrics
internal import Foundation
internal import GlyphwireProtocol
internal import TextModel
internal import TextRecognition

/// Next task of a worker.
enum WorkerTask {
    /// Read a frame; ``FrameQueue/finished(_:)`` must follow.
    case read(FrameJob)
    /// Take part in the fork-join job of another worker.
    case join(ForkJoinJob)
}

/// Queue of frames between the event loops, which fill it, and the worker threads, which wait on it.
///
/// A ``FairQueue`` selects the next frame. Idle workers also take ``ForkJoinJob``s of busy workers from here.
// Safe because the state is touched under the condition's lock alone. The lock is not `Synchronization.Mutex`: the thread
// sanitizer sees races where threads have to wait for one on Linux.
final class FrameQueue: @unchecked Sendable {
    /// What became of a frame that was to be appended.
    enum Appended {
        /// It waits for a worker.
        case queued
        /// It waits in place of this older one, which the caller must answer.
        case superseding(FrameJob)
        /// The queue has stopped, and the caller must answer the frame itself.
        case stopped
    }

    private struct State {
        var frames: FairQueue<FrameJob>
        /// Frames in work that are not answered otherwise.
        var inWork: [FrameJob.ID: FrameJob] = [:]
        /// Jobs that idle workers may join.
        var forkJoins: [ForkJoinJob] = []
        var isStopped = false

        mutating func popFirst() -> FrameJob? {
            let job = self.frames.popFirst(at: .now)
            if let job { self.inWork[job.id] = job }
            return job
        }
    }

    private let workers: Int
    private let metrics: QueueMetrics?
    private var state: State
    /// Condition that idle workers wait on.
    private let condition = NSCondition()

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - workers: The number of threads.
    ///   - metrics: Records how many frames wait and are in work.
    init(workers: Int, metrics: QueueMetrics? = nil) {
        self.workers = workers
        self.metrics = metrics
        self.state = State(frames: FairQueue(workers: workers))
    }

    /// Number of waiting frames, of all connections.
    var count: Int { self.condition.withLock { self.state.frames.count } }

    /// Appends a frame, unless the queue has stopped.
    func append(_ job: FrameJob) -> Appended {
        let schedulingClass = FairQueue<FrameJob>.SchedulingClass(job.configuration)
        return self.condition.withLock {
            if self.state.isStopped { return .stopped }
            let replaced = self.state.frames.append(job, of: job.connection, schedulingClass, at: .now)
            self.stateChanged()
            return replaced.map(Appended.superseding) ?? .queued
        }
    }

    /// Waits for a frame or a fork-join job; `nil` once the queue has stopped and is empty.
    func next() -> WorkerTask? {
        self.condition.withLock {
            while true {
                if let job = self.state.popFirst() {
                    self.stateChanged()
                    return .read(job)
                }
                if let work = self.state.forkJoins.first(where: \.isOpen) { return .join(work) }
                if self.state.isStopped, self.state.frames.count == 0 { return nil }
                self.wait()
            }
        }
    }

    /// Waits for a change of the state, or for the end of a reservation, which nothing reports.
    private func wait() {
        guard let end = self.state.frames.reservationEnd else { return self.condition.wait() }
        _ = self.condition.wait(until: Date(timeIntervalSinceNow: (end - .now) / .seconds(1)))
    }

    /// Takes the next frame without waiting for one; ``finished(_:)`` must follow.
    func popFirst() -> FrameJob? { self.condition.withLock { self.state.popFirst() } }

    /// Whether a worker in a fork-join job should take a frame of its own.
    var isServable: Bool { self.condition.withLock { self.state.frames.isServable } }

    /// Records that a worker has finished a frame.
    ///
    /// - Returns: Whether the worker must answer it; `false` if it was abandoned meanwhile.
    func finished(_ job: FrameJob) -> Bool {
        self.condition.withLock {
            let awaited = self.state.inWork.removeValue(forKey: job.id)
            self.state.frames.finished(job.connection)
            self.stateChanged()
            return awaited != nil
        }
    }

    /// Removes the frames of a closed connection.
    func remove(_ connection: ConnectionID) {
        self.condition.withLock {
            self.state.frames.remove(connection)
            self.stateChanged()
        }
    }

    /// Removes a waiting frame.
    ///
    /// - Returns: The frame, which the caller must answer; `nil` if it is not waiting.
    func remove(_ id: FrameJob.ID) -> FrameJob? {
        self.condition.withLock {
            let job = self.state.frames.remove(id.connection) { $0.id == id }
            self.stateChanged()
            return job
        }
    }

    /// Stops the workers at once and abandons all frames.
    ///
    /// - Returns: The waiting frames and those in work, which the caller must answer.
    func abandonAll() -> [FrameJob] {
        self.condition.withLock {
            defer { self.state.inWork = [:] }
            self.state.isStopped = true
            self.stateChanged()
            return self.state.frames.removeAll() + self.state.inWork.values
        }
    }

    /// Stops the workers once no frame is waiting.
    func stop() {
        self.condition.withLock {
            self.state.isStopped = true
            self.stateChanged()
        }
    }

    /// Records the load and wakes an idle worker if a frame is available, or all after a stop.
    ///
    /// It must be called under the lock after each change; a worker that takes a frame calls it for the next.
    private func stateChanged() {
        self.metrics?.waiting.set(self.state.frames.count)
        self.metrics?.inWork.set(self.state.frames.inWork)
        if self.state.isStopped {
            self.condition.broadcast()
        } else if self.state.frames.isServable {
            self.condition.signal()
        }
    }
}

extension FrameQueue: ParallelExecutor {
    /// Runs `count` pieces of work on the caller and idle workers, and waits for them.
    func run(_ count: Int, _ body: @escaping @Sendable (_ piece: Int) -> Void) {
        guard self.workers > 1, count > 1 else { return InlineExecutor().run(count, body) }
        let work = ForkJoinJob(count, body)
        self.condition.withLock {
            self.state.forkJoins.append(work)
            for _ in 1..<min(count, self.workers) { self.condition.signal() }
        }
        work.finish()
        self.condition.withLock { self.state.forkJoins.removeAll { $0 === work } }
    }
}

extension FairQueue.SchedulingClass {
    /// Scheduling class of a stream's frames.
    fileprivate init(_ configuration: StreamConfiguration) {
        switch configuration.delivery {
        case .live: self = .replaceable
        case .every: self = configuration.isTemporal ? .exclusive : .parallel
        }
    }
}
