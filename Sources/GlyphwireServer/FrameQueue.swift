internal import Dispatch
internal import NIOConcurrencyHelpers

/// The ``FairQueue`` of frames between the event loops, which fill it, and the worker threads, which wait on it.
final class FrameQueue: Sendable {
    private struct State: Sendable {
        var frames: FairQueue<FrameJob>
        var isStopped = false
    }

    /// Not `Synchronization.Mutex`: the thread sanitizer sees races where threads have to wait for one on Linux.
    private let state: NIOLockedValueBox<State>
    /// At least one token for each frame that waits; frames that were removed leave theirs, which wake a worker for nothing.
    private let tokens = DispatchSemaphore(value: 0)

    /// An empty queue that holds up to `capacityPerConnection` frames of each connection.
    init(capacityPerConnection: Int) {
        self.state = NIOLockedValueBox(State(frames: FairQueue(capacityPerConnection: capacityPerConnection)))
    }

    /// Frames that wait, of all connections.
    var count: Int { self.state.withLockedValue { $0.frames.count } }

    /// Puts a frame in line for a worker.
    ///
    /// A connection takes no more frames than its window, which is the queue's capacity: there is always room.
    func append(_ job: FrameJob) {
        let hasRoom = self.state.withLockedValue { $0.frames.append(job, of: job.connection) }
        precondition(hasRoom, "a connection sent more frames to the workers than its window")
        self.tokens.signal()
    }

    /// Waits for the frame whose turn it is; `nil` once the queue has stopped and is empty.
    func next() -> FrameJob? {
        while true {
            self.tokens.wait()
            let (job, isStopped) = self.state.withLockedValue { ($0.frames.popFirst(), $0.isStopped) }
            if let job { return job }
            if isStopped {
                self.tokens.signal()
                return nil
            }
        }
    }

    /// Takes the frame whose turn it is, without waiting for one.
    func popFirst() -> FrameJob? { self.state.withLockedValue { $0.frames.popFirst() } }

    /// Forgets the frames of a connection that has gone.
    func remove(_ connection: ConnectionID) {
        self.state.withLockedValue { $0.frames.remove(connection) }
    }

    /// Sends the workers home once nothing waits.
    func stop() {
        self.state.withLockedValue { $0.isStopped = true }
        self.tokens.signal()
    }
}
