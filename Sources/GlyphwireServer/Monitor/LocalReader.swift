internal import FramePipeline
public import GlyphwireProtocol
public import TextModel
public import NIOCore
internal import Synchronization
internal import TextRecognition

/// Has frames of this process read by a server's workers, in turn with those of its connections.
public struct LocalReader: Sendable {
    /// Tells the frames of all readers apart.
    private static let tickets = Atomic<Int>(0)

    /// Whose turns they take: all frames of a reader count as one connection.
    private let id: ConnectionID
    private let core: ServerCore
    /// Whether the frames count as work for somebody.
    private let isCounted: Bool

    init(core: ServerCore, id: ConnectionID = .next(), isCounted: Bool = true) {
        self.core = core
        self.id = id
        self.isCounted = isCounted
    }

    /// What a frame may measure.
    public var limits: WireLimits { self.core.configuration.limits.wire }

    /// The levels that are loaded, `fast` first.
    public var levels: [RecognitionLevel] { self.core.engine.levels }

    /// The codes of the languages that a level can read; takes milliseconds to find out.
    public func languages(of level: RecognitionLevel) -> [String] { self.core.engine.languages(of: level) }

    /// Has a frame read, by itself: it is neither dropped for newer ones nor compared with others.
    ///
    /// - Parameters:
    ///   - frame: How the payload holds the picture.
    ///   - payload: The picture.
    ///   - configuration: What is to be told; a reading that the engine cannot honour is an error.
    /// - Returns: The text, or why there is none.
    public func read(
        _ frame: FrameDescription,
        payload: ByteBuffer,
        configuration: StreamConfiguration
    ) async -> FrameResult {
        var configuration = configuration
        (configuration.delivery, configuration.temporal) = (.every, false)
        do throws(WireError) {
            try configuration.validate(for: self.core.engine)
        } catch {
            return self.refusal(error)
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
                memory: nil,
                arrival: FrameArrival(at: .now, wallMicroseconds: 0, capturedMicroseconds: 0, clockOffset: nil),
                finish: { finished, _ in
                    if self.isCounted { self.core.count(finished.result) }
                    continuation.resume(returning: finished.result)
                }
            )
            // What does not get in line comes back.
            if self.core.queue.append(job) != nil { continuation.resume(returning: self.refusal(.serverStops)) }
        }
        return result
    }

    /// Counts bytes that are held for this reader's frames among those that all clients hold; ``release(_:)`` must follow.
    ///
    /// - Parameter byteCount: Bytes that are held, or are about to be.
    /// - Returns: Whether there is memory for them. If not, they are counted all the same, and the work should be given up.
    public func hold(_ byteCount: Int) -> Bool {
        self.core.memory.add(byteCount)
        return !self.core.memory.isExceeded
    }

    /// Bytes of ``hold(_:)`` are held no more.
    public func release(_ byteCount: Int) { self.core.memory.add(-byteCount) }

    /// Gives up the reader's place among the connections, until it reads again.
    public func rest() { self.core.queue.remove(self.id) }

    private func refusal(_ error: WireError) -> FrameResult {
        FrameResult(sequence: 0, capturedMicroseconds: 0, outcome: .error(error), timings: FrameTimings())
    }
}
