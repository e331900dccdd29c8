package import GlyphwireProtocol

/// What became of the frames of a run, and how long it took.
///
/// A frame's latency is counted from when it was **due**, not from when it was sent: a server that holds up the sender
/// makes frames late, and that wait is the server's. The figure from sending is kept beside it.
package struct ReplayStatistics: Sendable {
    /// A frame that is handed to the socket this much after it was due is counted as late.
    package static let lateness = Duration.milliseconds(10)

    /// Frames handed to the socket.
    package private(set) var sent = 0
    /// Frames handed to the socket more than ``lateness`` after they were due.
    package private(set) var late = 0
    /// The most that a frame was late.
    package private(set) var maxLateness = Duration.zero
    /// Frames that were read.
    package private(set) var ok = 0
    /// Frames with another result, by its code or status.
    package private(set) var failed: [String: Int] = [:]
    /// Frames that were sent and will have no result.
    package private(set) var lost = 0

    /// From when a frame was due to its result.
    package private(set) var endToEnd = LatencyHistogram()
    /// From when a frame was sent to its result.
    package private(set) var sinceSent = LatencyHistogram()
    /// Of ``sinceSent`` what is not the server's: sockets, network, and waiting for the server to read.
    package private(set) var wire = LatencyHistogram()
    /// What the server says of its stages.
    package private(set) var queue = LatencyHistogram()
    /// What the server says of its stages.
    package private(set) var decode = LatencyHistogram()
    /// What the server says of its stages.
    package private(set) var detect = LatencyHistogram()
    /// What the server says of its stages.
    package private(set) var recognize = LatencyHistogram()
    /// What the server says of its stages together.
    package private(set) var server = LatencyHistogram()

    /// Nothing yet.
    package init() {}

    /// Frames with a result from the server.
    package var answered: Int { self.ok + self.failed.values.reduce(0, +) }

    /// A frame was handed to the socket.
    ///
    /// - Parameter lateness: How long after it was due.
    package mutating func frameSent(lateBy lateness: Duration) {
        self.sent += 1
        if lateness > Self.lateness { self.late += 1 }
        self.maxLateness = max(self.maxLateness, lateness)
    }

    /// A result came for a frame.
    ///
    /// Durations are those of frames that were read: an error is quick, and would flatter them.
    ///
    /// - Parameters:
    ///   - result: What the server says.
    ///   - dueAt: When it was to be sent.
    ///   - sentAt: When it was sent.
    ///   - receivedAt: When the result came.
    package mutating func frameAnswered(
        _ result: FrameResult,
        dueAt: ContinuousClock.Instant,
        sentAt: ContinuousClock.Instant,
        receivedAt: ContinuousClock.Instant
    ) {
        switch result.outcome {
        case .ok:
            self.ok += 1
        case .error(let error):
            self.failed[error.code.rawValue, default: 0] += 1
            return
        case .dropped:
            self.failed["dropped", default: 0] += 1
            return
        case .expired:
            self.failed["expired", default: 0] += 1
            return
        case .other(let status):
            self.failed[status, default: 0] += 1
            return
        }
        let roundTrip = sentAt.duration(to: receivedAt)
        let timings = result.timings
        self.endToEnd.record(dueAt.duration(to: receivedAt))
        self.sinceSent.record(roundTrip)
        self.wire.record(roundTrip - .microseconds(timings.total))
        self.queue.record(.microseconds(timings.queue))
        self.decode.record(.microseconds(timings.decode))
        self.detect.record(.microseconds(timings.detect))
        self.recognize.record(.microseconds(timings.recognize))
        self.server.record(.microseconds(timings.total))
    }

    /// A frame will have no result.
    package mutating func frameLost() {
        self.lost += 1
    }
}
