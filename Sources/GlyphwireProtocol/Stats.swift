/// Statistics of one connection and of the whole server.
public struct Stats: Sendable, Hashable {
    /// Sequence number of the request.
    public var sequence: UInt64
    /// Statistics of the requesting connection's frames.
    public var connection: Scope
    /// Statistics of all connections' frames since the server started.
    public var server: Scope

    /// Creates the answer to a request.
    public init(sequence: UInt64, connection: Scope, server: Scope) {
        self.sequence = sequence
        self.connection = connection
        self.server = server
    }

    /// Statistics of a set of frames.
    public struct Scope: Sendable, Hashable {
        /// The frames by status.
        public var frames: FramesByStatus
        /// Time in the queue.
        public var queue: Stage
        /// Time to decode the payload.
        public var decode: Stage
        /// Time of text detection.
        public var detect: Stage
        /// Time of text recognition, with the localization of words and characters.
        public var recognize: Stage
        /// Total time.
        public var total: Stage

        /// Creates statistics, empty by default.
        public init(
            frames: FramesByStatus = FramesByStatus(),
            queue: Stage = Stage(),
            decode: Stage = Stage(),
            detect: Stage = Stage(),
            recognize: Stage = Stage(),
            total: Stage = Stage()
        ) {
            self.frames = frames
            self.queue = queue
            self.decode = decode
            self.detect = detect
            self.recognize = recognize
            self.total = total
        }
    }

    /// Durations of one stage in microseconds, over the frames that were read.
    public struct Stage: Sendable, Hashable {
        /// Number of measured frames.
        public var count: Int
        /// Median.
        public var p50: Int
        /// 90th percentile.
        public var p90: Int
        /// 99th percentile.
        public var p99: Int
        /// Maximum.
        public var max: Int

        /// Creates durations, empty by default.
        public init(count: Int = 0, p50: Int = 0, p90: Int = 0, p99: Int = 0, max: Int = 0) {
            self.count = count
            self.p50 = p50
            self.p90 = p90
            self.p99 = p99
            self.max = max
        }
    }
}
