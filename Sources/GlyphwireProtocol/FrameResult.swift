internal import TextModel

/// What became of one frame: the content of its `result` line.
public struct FrameResult: Sendable, Equatable {
    /// How a frame ended.
    public enum Outcome: Sendable, Equatable {
        /// It was read.
        case ok(FrameText)
        /// It could not be honoured.
        case error(WireError)
        /// It was not read, because the frame numbered `by` came before its turn did.
        case dropped(by: UInt64)
        /// It was not read, because it was older than its deadline.
        case expired
        /// A `status` that this version does not know; only a newer server sends one.
        case other(status: String)
    }

    /// The frame's own number.
    public var sequence: UInt64
    /// The frame's capture time, as it was sent.
    public var capturedMicroseconds: UInt64
    /// What became of it.
    public var outcome: Outcome
    /// Milliseconds from its capture to this result; `nil` where the capture time or the clocks' offset is unknown.
    public var ageMilliseconds: Int?
    /// How long it took; stages that were not reached are 0.
    public var timings: FrameTimings

    /// The result of a frame.
    public init(
        sequence: UInt64,
        capturedMicroseconds: UInt64,
        outcome: Outcome,
        ageMilliseconds: Int? = nil,
        timings: FrameTimings
    ) {
        self.sequence = sequence
        self.capturedMicroseconds = capturedMicroseconds
        self.outcome = outcome
        self.ageMilliseconds = ageMilliseconds
        self.timings = timings
    }
}

/// How long each stage of a frame took, in microseconds of the server's monotonic clock.
public struct FrameTimings: Sendable, Hashable {
    /// From the frame's last byte received to the start of decoding.
    public var queue: Int
    /// Payload to pixels.
    public var decode: Int
    /// Finding where text is.
    public var detect: Int
    /// Reading it and placing words and characters.
    public var recognize: Int
    /// From the frame's last byte received to the finished line.
    public var total: Int

    /// The times of the stages, each 0 unless given.
    public init(queue: Int = 0, decode: Int = 0, detect: Int = 0, recognize: Int = 0, total: Int = 0) {
        self.queue = queue
        self.decode = decode
        self.detect = detect
        self.recognize = recognize
        self.total = total
    }
}
