internal import FramePipeline
public import GlyphwireProtocol
public import TextModel
public import NIOCore
internal import Synchronization
internal import TextRecognition

/// Reader through which this process has a server's workers read frames, scheduled fairly with connections.
public struct LocalReader: Sendable {
    /// Last ticket, unique among the frames of all readers.
    private static let tickets = Atomic<Int>(0)

    /// The limits of frames.
    public let limits: WireLimits

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
    public var levels: [RecognitionLevel] { self.engine.levels }

    /// Language codes that a level supports.
    public func languages(of level: RecognitionLevel) -> [String] { self.engine.languages(of: level) }

    /// Checks that the server can honour the options of frames; see ``read(_:payload:configuration:)``.
    package func validate(_ configuration: StreamConfiguration) throws(WireError) {
        try configuration.validate(for: self.engine)
    }

    /// Reads a frame on its own: it is never superseded, nor compared with others.
    ///
    /// - Parameters:
    ///   - frame: The format and size of the picture.
    ///   - payload: The picture.
    ///   - configuration: The options; reading options that the engine does not support are an error.
    ///   - received: The time of the last byte of the request.
    ///   - decoding: The time in which the picture was decoded since then.
    /// - Returns: The text, or the error.
    public func read(
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
        let result = await withCheckedContinuation { continuation in
            let job = FrameJob(
                connection: self.id,
                ticket: Self.tickets.wrappingAdd(1, ordering: .relaxed).newValue,
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
                    continuation.resume(returning: finished.result)
                }
            )
            // A stopped queue returns the frame.
            if self.queue.append(job) != nil { continuation.resume(returning: FrameResult(unread: .serverStops)) }
        }
        return result
    }

    /// Reserves memory for this reader's frames in the budget for payloads; ``release(_:)`` must follow.
    ///
    /// - Parameter byteCount: Number of bytes that are held, or will be.
    /// - Returns: Whether the budget has room. If not, the bytes are counted nevertheless, and the work should be
    ///   abandoned.
    public func hold(_ byteCount: Int) -> Bool {
        self.budget.add(byteCount)
        return !self.budget.isExceeded
    }

    /// Reserves memory like ``hold(_:)`` if the budget has room for it.
    ///
    /// - Parameter byteCount: Number of bytes that will be held.
    /// - Returns: Whether it has; otherwise nothing is counted.
    public func holdIfRoom(_ byteCount: Int) -> Bool { self.budget.addIfRoom(byteCount) }

    /// Releases bytes of ``hold(_:)``.
    public func release(_ byteCount: Int) { self.budget.add(-byteCount) }

    /// Removes the reader from the queue until it reads again.
    public func rest() { self.queue.remove(self.id) }
}
