internal import GlyphwireProtocol

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
    /// Frames by what became of them.
    package private(set) var outcomes: [FrameStatus: Int] = [:]
    /// Frames that were read in time: no later than the deadline after they were due.
    package private(set) var inTime = 0

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

    private let deadline: Duration

    /// Nothing yet; a frame is in time that is read within `deadline` of when it was due.
    package init(deadline: Duration = .milliseconds(500)) {
        self.deadline = deadline
    }

    /// Frames that were read.
    package var ok: Int { self.outcomes[.ok] ?? 0 }
    /// Frames with a result from the server.
    package var answered: Int { self.outcomes.reduce(0) { $0 + ($1.key.isAnswer ? $1.value : 0) } }
    /// Frames lost with their connection before they were answered.
    package var lost: Int { self.outcomes[.lost] ?? 0 }
    /// Frames that were due, and the socket had no room for them before the run was over.
    package var unsent: Int { self.outcomes[.unsent] ?? 0 }
    /// Frames that were due, sent or not.
    package var offered: Int { self.sent + self.unsent }

    /// A frame was handed to the socket.
    ///
    /// - Parameter lateness: How long after it was due.
    mutating func frameSent(lateBy lateness: Duration) {
        self.sent += 1
        if lateness > Self.lateness { self.late += 1 }
        self.maxLateness = max(self.maxLateness, lateness)
    }

    /// It is known what became of a frame.
    ///
    /// Durations are those of frames that were read: an error or a drop is quick, and would flatter them.
    mutating func frameEnded(_ frame: FrameRecord) {
        self.outcomes[frame.status, default: 0] += 1
        guard frame.status == .ok, let sentAt = frame.sentAt else { return }
        let sinceDue = frame.dueAt.duration(to: frame.endedAt)
        let roundTrip = sentAt.duration(to: frame.endedAt)
        let timings = frame.timings
        if sinceDue <= self.deadline { self.inTime += 1 }
        self.endToEnd.record(sinceDue)
        self.sinceSent.record(roundTrip)
        self.wire.record(roundTrip - .microseconds(timings.total))
        self.queue.record(.microseconds(timings.queue))
        self.decode.record(.microseconds(timings.decode))
        self.detect.record(.microseconds(timings.detect))
        self.recognize.record(.microseconds(timings.recognize))
        self.server.record(.microseconds(timings.total))
    }
}
