/// What has been done so far, for one connection and for the whole server.
public struct Stats: Sendable, Hashable {
    /// The number of the request.
    public var sequence: UInt64
    /// Frames of the connection that asks.
    public var connection: Scope
    /// Frames of all connections since the server started.
    public var server: Scope

    /// The answer to a request.
    public init(sequence: UInt64, connection: Scope, server: Scope) {
        self.sequence = sequence
        self.connection = connection
        self.server = server
    }

    /// Frames that were counted together.
    public struct Scope: Sendable, Hashable {
        /// Frames that were read.
        public var ok: Int
        /// Frames that were answered with an error.
        public var error: Int
        /// Frames that a newer one took the place of.
        public var dropped: Int
        /// Frames that were older than their deadline.
        public var expired: Int
        /// Waiting for a worker.
        public var queue: Stage
        /// Payload to pixels.
        public var decode: Stage
        /// Finding where text is.
        public var detect: Stage
        /// Reading it and placing words and characters.
        public var recognize: Stage
        /// Everything.
        public var total: Stage

        /// A scope, empty by default.
        public init(
            ok: Int = 0,
            error: Int = 0,
            dropped: Int = 0,
            expired: Int = 0,
            queue: Stage = Stage(),
            decode: Stage = Stage(),
            detect: Stage = Stage(),
            recognize: Stage = Stage(),
            total: Stage = Stage()
        ) {
            self.ok = ok
            self.error = error
            self.dropped = dropped
            self.expired = expired
            self.queue = queue
            self.decode = decode
            self.detect = detect
            self.recognize = recognize
            self.total = total
        }
    }

    /// How long one stage took, in microseconds over the frames that were read.
    public struct Stage: Sendable, Hashable {
        /// How many frames were measured.
        public var count: Int
        /// Half of them took no longer.
        public var p50: Int
        /// Nine of ten took no longer.
        public var p90: Int
        /// Ninety-nine of a hundred took no longer.
        public var p99: Int
        /// None took longer.
        public var max: Int

        /// A stage, empty by default.
        public init(count: Int = 0, p50: Int = 0, p90: Int = 0, p99: Int = 0, max: Int = 0) {
            self.count = count
            self.p50 = p50
            self.p90 = p90
            self.p99 = p99
            self.max = max
        }
    }
}
