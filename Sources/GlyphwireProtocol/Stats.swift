package import TextModel

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
        /// The work of frames in streams with `temporal`.
        public var tracking: Tracking

        /// Creates statistics, empty by default.
        public init(
            frames: FramesByStatus = FramesByStatus(),
            queue: Stage = Stage(),
            decode: Stage = Stage(),
            detect: Stage = Stage(),
            recognize: Stage = Stage(),
            total: Stage = Stage(),
            tracking: Tracking = Tracking()
        ) {
            self.frames = frames
            self.queue = queue
            self.decode = decode
            self.detect = detect
            self.recognize = recognize
            self.total = total
            self.tracking = tracking
        }
    }

    /// Numbers of frames with `temporal` that were read, by their largest scan for text, and of the lines that they read.
    public struct Tracking: Sendable, Hashable {
        /// Frames without a scan: all of their text was verified by its pixels.
        public var verified: Int
        /// Frames of which regions were scanned closely.
        public var regions: Int
        /// Frames that were scanned coarsely, and in regions closely.
        public var coarse: Int
        /// Frames that were scanned closely as a whole.
        public var full: Int
        /// Lines that were read in all of them.
        public var lines: Int

        /// Creates numbers, 0 by default.
        public init(verified: Int = 0, regions: Int = 0, coarse: Int = 0, full: Int = 0, lines: Int = 0) {
            self.verified = verified
            self.regions = regions
            self.coarse = coarse
            self.full = full
            self.lines = lines
        }

        /// Adds the work of a frame.
        package mutating func add(_ work: TrackingWork) {
            switch work.scan {
            case .none: self.verified += 1
            case .regions: self.regions += 1
            case .coarse: self.coarse += 1
            case .full: self.full += 1
            }
            self.lines += work.linesRead
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
