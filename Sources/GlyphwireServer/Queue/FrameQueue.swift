internal import Dispatch
internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// The ``FairQueue`` of frames between the event loops, which fill it, and the worker threads, which wait on it.
final class FrameQueue: Sendable {
    private struct State: Sendable {
        var frames: FairQueue<FrameJob>
        /// What workers have, and nobody else has answered.
        var inWork: [FrameJob.ID: FrameJob] = [:]
        var isStopped = false

        mutating func popFirst() -> FrameJob? {
            let job = self.frames.popFirst(at: .now)
            if let job { self.inWork[job.id] = job }
            return job
        }
    }

    /// Not `Synchronization.Mutex`: the thread sanitizer sees races where threads have to wait for one on Linux.
    private let state: NIOLockedValueBox<State>
    /// Wakes workers to look for a frame: at least one token has come since anything changed that lets them take one.
    private let tokens = DispatchSemaphore(value: 0)

    /// An empty queue for so many workers.
    init(workers: Int) {
        self.state = NIOLockedValueBox(State(frames: FairQueue(workers: workers)))
    }

    /// Frames that wait, of all connections.
    var count: Int { self.load.waiting }

    /// Frames that wait, and frames that workers have.
    var load: (waiting: Int, inWork: Int) { self.state.withLockedValue { ($0.frames.count, $0.frames.inWork) } }

    /// Puts a frame in line for a worker.
    ///
    /// - Parameter job: The frame.
    /// - Returns: A frame of the same connection that is not read because this one is newer; the frame itself once the
    ///   queue has stopped.
    func append(_ job: FrameJob) -> FrameJob? {
        let manners = FairQueue<FrameJob>.Manners(job.configuration)
        let (replaced, wakes) = self.state.withLockedValue { state -> (FrameJob?, Bool) in
            if state.isStopped { return (job, false) }
            let replaced = state.frames.append(job, of: job.connection, manners, at: job.arrival.time)
            return (replaced, state.frames.isServable)
        }
        if wakes { self.tokens.signal() }
        return replaced
    }

    /// Waits for the frame whose turn it is; `nil` once the queue has stopped and is empty.
    ///
    /// ``finished(_:)`` must follow.
    func next() -> FrameJob? {
        while true {
            self.tokens.wait()
            let (job, wakesOther, isOver) = self.state.withLockedValue { state in
                let job = state.popFirst()
                let isOver = state.isStopped && state.frames.count == 0
                return (job, job == nil ? isOver : state.frames.isServable, isOver)
            }
            if wakesOther { self.tokens.signal() }
            if let job { return job }
            if isOver { return nil }
        }
    }

    /// Takes the frame whose turn it is, without waiting for one; ``finished(_:)`` must follow.
    func popFirst() -> FrameJob? { self.state.withLockedValue { $0.popFirst() } }

    /// A worker is done with a frame.
    ///
    /// - Returns: Whether it is the worker's to answer; not if it was given up meanwhile.
    func finished(_ job: FrameJob) -> Bool {
        let (isAwaited, wakes) = self.state.withLockedValue { state in
            let awaited = state.inWork.removeValue(forKey: job.id)
            state.frames.finished(job.connection)
            return (awaited != nil, state.frames.isServable || state.isStopped)
        }
        if wakes { self.tokens.signal() }
        return isAwaited
    }

    /// Forgets the frames of a connection that has gone.
    func remove(_ connection: ConnectionID) {
        self.state.withLockedValue { $0.frames.remove(connection) }
    }

    /// Sends the workers home and takes all frames from them.
    ///
    /// - Returns: The frames that wait and those in work, which the caller has to answer.
    func giveUp() -> [FrameJob] {
        let jobs = self.state.withLockedValue { state in
            defer { state.inWork = [:] }
            return state.frames.removeAll() + state.inWork.values
        }
        self.stop()
        return jobs
    }

    /// Sends the workers home once nothing waits.
    func stop() {
        self.state.withLockedValue { $0.isStopped = true }
        self.tokens.signal()
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
