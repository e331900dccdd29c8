public import GlyphwireProtocol
public import TextModel

/// What a server has counted since its start, and what it is doing now.
public struct ServerMetrics: Sendable {
    /// How long the stages of the frames that were read took, by the names of Protocol.md.
    public struct Stages: Sendable {
        /// From the last byte received to the start of decoding.
        public internal(set) var queue = DurationHistogram()
        /// Payload to pixels.
        public internal(set) var decode = DurationHistogram()
        /// Finding where text is.
        public internal(set) var detect = DurationHistogram()
        /// Reading it and placing words and characters.
        public internal(set) var recognize = DurationHistogram()
        /// From the last byte received to the result.
        public internal(set) var total = DurationHistogram()
    }

    /// Frames that were read, ``reused`` ones among them.
    public var ok: Int
    /// Frames that showed what the one before them showed.
    public var reused: Int
    /// Frames that a newer one took the place of.
    public var dropped: Int
    /// Frames that were older than their deadline.
    public var expired: Int
    /// Frames that were answered with an error, by its code.
    public var frameErrors: [WireError.Code: Int]
    /// Warnings that results had, by their code.
    public var frameWarnings: [FrameWarning.Code: Int]
    /// `error` lines, which answer other messages than frames or end a connection, by their code.
    public var errorLines: [WireError.Code: Int]
    /// How long the stages took.
    public var stages: Stages
    /// How old frames were when they were answered, where that is known.
    public var age: DurationHistogram
    /// Bytes that clients sent.
    public var receivedBytes: Int
    /// Bytes of lines for clients.
    public var sentBytes: Int
    /// Connections that were accepted.
    public var acceptedConnections: Int
    /// Connections that are open.
    public var openConnections: Int
    /// Frames that wait for a worker.
    public var waitingFrames: Int
    /// Threads that read frames.
    public var workers: Int
    /// Workers that are reading a frame now.
    public var busyWorkers: Int
    /// How long workers have been busy with frames that are answered.
    public var busyTime: Duration
    /// Whether the server is finishing what it has accepted, and accepts no more.
    public var isDraining: Bool
}
