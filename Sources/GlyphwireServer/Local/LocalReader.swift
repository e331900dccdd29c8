internal import FramePipeline
package import GlyphwireProtocol
package import TextModel
package import NIOCore
internal import Synchronization
internal import TextRecognition

/// Reader through which this process has a server's workers read frames, scheduled fairly with connections.
package struct LocalReader: Sendable {
    /// Last ticket, unique among the frames of all readers.
    private static let tickets = Atomic<Int>(0)

    /// The limits of frames.
    package let limits: WireLimits

    /// Number of the reader: all its frames are scheduled as one connection.
    private let id: ConnectionID
    private let queue: FrameQueue
    private let engine: any ReadingEngine
    private let budget: MemoryBudget
    private let meters: ServerMeters?

    /// Creates a reader of frames.
    ///
    /// - Parameters:
    ///   - id: The number under which its frames are scheduled.
    ///   - queue: The queue of the workers.
    ///   - engine: The engine, which validates reading options.
    ///   - limits: The limits of frames.
    ///   - budget: The budget for payloads.
    ///   - meters: The meters that count the frames; `nil` counts none.
    init(
        id: ConnectionID,
        queue: FrameQueue,
        engine: any ReadingEngine,
        limits: WireLimits,
        budget: MemoryBudget,
        meters: ServerMeters?
    ) {
        self.id = id
        self.queue = queue
        self.engine = engine
        self.limits = limits
        self.budget = budget
        self.meters = meters
    }

    /// Loaded levels, `fast` first.
    package var levels: [RecognitionLevel] { self.engine.levels }

    /// Language codes that a level supports.
    package func languages(of level: RecognitionLevel) -> [String] { self.engine.languages(of: level) }

    /// Checks that the server can honour the options of frames; see ``read(_:payload:configuration:)``.
    package func validate(_ configuration: StreamConfiguration) throws(WireError) {
        try configuration.validate(for: self.engine)
    }

    /// Reads a frame on its own: it is never superseded, nor compared with others.
    ///
    /// If the task is cancelled while the frame waits for a worker, it is not read but ``FrameResult/Outcome/expired``.
    ///
    /// - Parameters:
    ///   - frame: The format and size of the picture.
    ///   - payload: The picture.
    ///   - configuration: The options; reading options that the engine does not support are an error.
    ///   - received: The time of the last byte of the request.
    ///   - decoding: The time in which the picture was decoded since then.
    /// - Returns: The text, or the error.
    package func read(
        _ frame: FrameDescription,
        payload: ByteBuffer,
        configuration: StreamConfiguration,
        received: ContinuousClock.Instant = .now,
        decoding: Duration = .zero
    ) async -> FrameResult {
        var configuration = configuration
        (configuration.delivery, configuration.temporal) = (.every, false)
        do throws(WireError) {
            try configuration.validate(for: self.engine)
        } catch {
            return FrameResult(unread: error)
        }
        return await self.answer { [configuration] ticket, finish in
            FrameJob(
                connection: self.id,
                ticket: ticket,
                sequence: 0,
                capturedMicroseconds: 0,
                frame: frame,
                payload: payload,
                configuration: configuration,
                tracking: nil,
                arrival: FrameArrival(at: received, wallMicroseconds: 0, capturedMicroseconds: 0, clockOffset: nil),
                decoding: decoding,
                finish: { finished, _ in
                    self.meters?.frameAnswered(finished.result)
                    finish(finished.result)
                }
            )
        }
    }

    /// Queues a frame, and removes it again if the task is cancelled before a worker takes it.
    ///
    /// - Parameter makeJob: Makes the frame with a ticket, and with what is to be called with its result.
    /// - Returns: The result.
    private func answer(
        _ makeJob: @Sendable (_ ticket: Int, _ finish: @escaping @Sendable (FrameResult) -> Void) -> FrameJob
    ) async -> FrameResult {
        let ticket = Self.tickets.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<FrameResult, Never>) in
                let job = makeJob(ticket) { continuation.resume(returning: $0) }
                if case .stopped = self.queue.append(job) {
                    continuation.resume(returning: FrameResult(unread: .serverStops))
                }
                // It may have been cancelled before the frame was there.
                if Task.isCancelled { self.withdraw(ticket) }
            }
        } onCancel: {
            self.withdraw(ticket)
        }
    }

    /// Answers a frame that waits without reading it.
    private func withdraw(_ ticket: Int) {
        guard let job = self.queue.remove(FrameJob.ID(connection: self.id, ticket: ticket)) else { return }
        job.finish(job.unread(.expired, at: .now), job)
    }

    /// Reserves memory for this reader's frames in the budget for payloads; ``release(_:)`` must follow.
    ///
    /// - Parameter byteCount: Number of bytes that are held, or will be.
    /// - Returns: Whether the budget has room. If not, the bytes are counted nevertheless, and the work should be
    ///   abandoned.
    package func hold(_ byteCount: Int) -> Bool {
        self.budget.add(byteCount)
        return !self.budget.isExceeded
    }

    /// Reserves memory like ``hold(_:)`` if the budget has room for it.
    ///
    /// - Parameter byteCount: Number of bytes that will be held.
    /// - Returns: Whether it has; otherwise nothing is counted.
    package func holdIfRoom(_ byteCount: Int) -> Bool { self.budget.addIfRoom(byteCount) }

    /// Releases bytes of ``hold(_:)``.
    package func release(_ byteCount: Int) { self.budget.add(-byteCount) }

    /// Removes the reader from the queue until it reads again.
    package func rest() { self.queue.remove(self.id) }
}
