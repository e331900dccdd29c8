/// What became of the frames of a run.
package struct FrameCounts: Sendable, Codable, Equatable {
    /// Frames that were due, sent or not.
    package var offered: Int
    /// Frames handed to the socket.
    package var sent: Int
    /// Of those sent, how many more than 10 ms after they were due.
    package var late: Int
    /// The most that a frame was late.
    package var maxLatenessMs: Double
    /// Frames with a result from the server.
    package var answered: Int
    /// Frames that were read.
    package var ok: Int
    /// Frames that were read within the deadline of when they were due.
    package var inTime: Int
    /// All frames by what became of them.
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

    /// How many frames have a status, whatever the reason.
    func count(of status: String) -> Int {
        self.outcomes.reduce(0) { $0 + ($1.status.status == status ? $1.count : 0) }
    }
}
