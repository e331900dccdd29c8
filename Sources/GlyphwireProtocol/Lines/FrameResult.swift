package import TextModel

/// Result of one frame: the content of its `result` line.
public struct FrameResult: Sendable, Equatable {
    /// Outcome of a frame.
    public enum Outcome: Sendable, Equatable {
        /// The frame was read.
        case ok(FrameText)
        /// The frame could not be read.
        case error(WireError)
        /// The frame was not read, because the frame numbered `by` superseded it.
        case dropped(by: UInt64)
        /// The frame was not read, because its deadline had passed.
        case expired
        /// The status is unknown to this version; only a newer server sends one.
        case other(status: String)
    }

    /// Sequence number of the frame.
    public var sequence: UInt64
    /// Capture time of the frame, as sent.
    public var capturedMicroseconds: UInt64
    /// Outcome of the frame.
    public var outcome: Outcome
    /// Milliseconds from capture to this result; `nil` if the capture time or the clock offset is unknown.
    public var ageMilliseconds: Int?
    /// Duration of each stage; 0 for stages that were not reached.
    public var timings: FrameTimings
    /// Work of a frame that was compared with earlier ones, for statistics; no part of the line.
    package var work: TrackingWork?

    /// Creates the result of a frame.
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

    /// Creates the result of a frame that came to no stage.
    package init(unread error: WireError, sequence: UInt64 = 0) {
        self.init(sequence: sequence, capturedMicroseconds: 0, outcome: .error(error), timings: FrameTimings())
    }
}

/// Duration of each stage of a frame, in microseconds of the server's monotonic clock.
public struct FrameTimings: Sendable, Hashable {
    /// Time from the receipt of the frame's last byte to the start of decoding.
    public var queue: Int
    /// Time to decode the payload.
    public var decode: Int
    /// Time of text detection.
    public var detect: Int
    /// Time of text recognition, with the localization of words and characters.
    public var recognize: Int
    /// Time from the receipt of the frame's last byte to the finished line.
    public var total: Int

    /// Creates timings; each is 0 by default.
    public init(queue: Int = 0, decode: Int = 0, detect: Int = 0, recognize: Int = 0, total: Int = 0) {
        self.queue = queue
        self.decode = decode
        self.detect = detect
        self.recognize = recognize
        self.total = total
    }
}
