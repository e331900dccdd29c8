/// Frames of a run by outcome.
package struct FrameCounts: Sendable, Codable, Equatable {
    /// Number of frames that were due, sent or not: the sum of ``outcomes``.
    package var offered: Int
    /// Number of frames written to the socket.
    package var sent: Int
    /// Number of frames sent more than 10 ms after they were due.
    package var late: Int
    /// Maximum lateness of a frame.
    package var maxLatenessMs: Double
    /// Number of frames with a result from the server.
    package var answered: Int
    /// Number of frames that were read.
    package var ok: Int
    /// Number of frames read within the deadline after they were due.
    package var inTime: Int
    /// All frames by outcome.
    package var outcomes: [StatusCount]

    init(_ figures: ReplayStatistics) {
        self.offered = figures.offered
        self.sent = figures.sent
        self.late = figures.late
        self.maxLatenessMs = figures.maxLateness.milliseconds
        self.answered = figures.answered
        self.ok = figures.ok
        self.inTime = figures.inTime
        self.outcomes = StatusCount.list(figures.outcomes)
    }

    /// Number of frames with a status, for any reason.
    func count(of status: String) -> Int {
        self.outcomes.reduce(0) { $0 + ($1.status.status == status ? $1.count : 0) }
    }
}
