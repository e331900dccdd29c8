internal import GlyphwireProtocol

/// Statistics of a run's frames by outcome, with their latencies.
///
/// A frame's latency counts from when it was **due**, not from when it was sent: a server that blocks the sender makes
/// frames late, and that wait is the server's fault (coordinated omission). The latency from sending is recorded too.
package struct ReplayStatistics: Sendable {
    /// Lateness from which a frame counts as late when it is written to the socket.
    package static let lateness = Duration.milliseconds(10)

    /// Number of frames written to the socket.
    package private(set) var sent = 0
    /// Number of frames written to the socket more than ``lateness`` after they were due.
    package private(set) var late = 0
    /// Maximum lateness of a frame.
    package private(set) var maxLateness = Duration.zero
    /// Number of frames by outcome.
    package private(set) var outcomes: [FrameStatus: Int] = [:]
    /// Number of frames read within the deadline after they were due.
    package private(set) var inTime = 0

    /// Time from when a frame was due to its result.
    package private(set) var endToEnd = LatencyHistogram()
    /// Time from sending a frame to its result.
    package private(set) var sinceSent = LatencyHistogram()
    /// Part of ``sinceSent`` outside the server: sockets, network, and waiting for the server to read.
    package private(set) var wire = LatencyHistogram()
    /// Queue time that the server reports.
    package private(set) var queue = LatencyHistogram()
    /// Decoding time that the server reports.
    package private(set) var decode = LatencyHistogram()
    /// Detection time that the server reports.
    package private(set) var detect = LatencyHistogram()
    /// Recognition time that the server reports.
    package private(set) var recognize = LatencyHistogram()
    /// Total time that the server reports.
    package private(set) var server = LatencyHistogram()

    private let deadline: Duration

    /// Creates empty statistics; frames read within `deadline` after they were due are in time.
    package init(deadline: Duration = .milliseconds(500)) {
        self.deadline = deadline
    }

    /// Number of frames that were read.
    package var ok: Int { self.outcomes[.ok] ?? 0 }
    /// Number of frames with a result from the server.
    package var answered: Int { self.outcomes.reduce(0) { $0 + ($1.key.isAnswer ? $1.value : 0) } }
    /// Number of frames lost with their connection, before they were answered or sent.
    package var lost: Int { self.outcomes[.lost] ?? 0 }
    /// Number of frames that were due but for which the socket had no room before the end of the run.
    package var unsent: Int { self.outcomes[.unsent] ?? 0 }
    /// Number of frames that were due, sent or not: every one has an outcome, at the latest when the run ends.
    package var offered: Int { self.outcomes.values.reduce(0, +) }

    /// Records a frame written to the socket.
    ///
    /// - Parameter lateness: The time after it was due.
    mutating func frameSent(lateBy lateness: Duration) {
        self.sent += 1
        if lateness > Self.lateness { self.late += 1 }
        self.maxLateness = max(self.maxLateness, lateness)
    }

    /// Records the outcome of a frame.
    ///
    /// Durations are recorded only for frames that were read: errors and drops are quick and would bias them.
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
