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

extension Stats: LineContent {
    static let lineType = LineType.stats

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init(sequence: 0, connection: Scope(), server: Scope())
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "sequence": self.sequence = try reader.unsignedInteger()
            case "connection": try self.connection.read(from: &reader)
            case "server": try self.server.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }

    func writeMembers(into json: inout JSONBuilder) {
        json.integer("sequence", self.sequence)
        json.object("connection") { self.connection.writeMembers(into: &$0) }
        json.object("server") { self.server.writeMembers(into: &$0) }
    }
}

extension Stats.Scope {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "frames": try self.frames.read(from: &reader)
            case "timings_us": try self.readStages(from: &reader)
            case "tracking": try self.tracking.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }

    fileprivate func writeMembers(into json: inout JSONBuilder) {
        json.object("frames") { self.frames.writeMembers(into: &$0) }
        json.object("timings_us") { json in
            json.object("queue") { self.queue.writeMembers(into: &$0) }
            json.object("decode") { self.decode.writeMembers(into: &$0) }
            json.object("detect") { self.detect.writeMembers(into: &$0) }
            json.object("recognize") { self.recognize.writeMembers(into: &$0) }
            json.object("total") { self.total.writeMembers(into: &$0) }
        }
        json.object("tracking") { self.tracking.writeMembers(into: &$0) }
    }

    private mutating func readStages(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "queue": try self.queue.read(from: &reader)
            case "decode": try self.decode.read(from: &reader)
            case "detect": try self.detect.read(from: &reader)
            case "recognize": try self.recognize.read(from: &reader)
            case "total": try self.total.read(from: &reader)
            default: try reader.skipValue()
            }
        }
    }
}

extension Stats.Tracking {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "verified": self.verified = try reader.integer()
            case "regions": self.regions = try reader.integer()
            case "coarse": self.coarse = try reader.integer()
            case "full": self.full = try reader.integer()
            case "lines": self.lines = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }

    fileprivate func writeMembers(into json: inout JSONBuilder) {
        json.integer("verified", self.verified)
        json.integer("regions", self.regions)
        json.integer("coarse", self.coarse)
        json.integer("full", self.full)
        json.integer("lines", self.lines)
    }
}

extension Stats.Stage {
    fileprivate mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "count": self.count = try reader.integer()
            case "p50": self.p50 = try reader.integer()
            case "p90": self.p90 = try reader.integer()
            case "p99": self.p99 = try reader.integer()
            case "max": self.max = try reader.integer()
            default: try reader.skipValue()
            }
        }
    }

    fileprivate func writeMembers(into json: inout JSONBuilder) {
        json.integer("count", self.count)
        json.integer("p50", self.p50)
        json.integer("p90", self.p90)
        json.integer("p99", self.p99)
        json.integer("max", self.max)
    }
}
