/// Report of one run.
package struct RunReport: Sendable, Codable {
    /// Number of connections.
    package var connections: Int
    /// Description of the pace on each connection.
    package var pace: String
    /// Offered frames per second on all connections together.
    package var offeredFps: Double
    /// Time from the first frame after the warm-up to the last result or, if later, to the planned end of a broken stream.
    package var measuredSeconds: Double
    /// Duration of the warm-up, which is not measured.
    package var warmupSeconds: Double
    /// Number of frames that were due during the warm-up.
    package var warmupFrames: Int
    /// Deadline after the due time for a frame to be in time.
    package var deadlineMs: Double
    /// Frames by outcome.
    package var frames: FrameCounts
    /// Keep-up score: frames read in time over frames offered, 0...1.
    package var keepUp: Double
    /// Frames read per second.
    package var fps: Double
    /// Connection with the smallest share of its frames read; `nil` where there is only one.
    package var worstConnection: ConnectionShare?
    /// Latency of the frames that were read.
    package var latency: LatencyReport
    /// Mean time of each stage; `nil` if no frame was read.
    package var stages: StageMeans?
    /// Timeline of the run, second by second.
    package var timeline: [TimelineEntry]
    /// Agreement with the expectation; `nil` without one.
    package var agreement: Agreement?
    /// Notices for the user, without duplicates.
    package var notices: [String]
    /// Failures of streams; empty if there are none.
    package var failures: [String]
    /// Failure of the log of frames; `nil` if there is none.
    package var logFailure: String?

    /// Creates a report on a run of `configuration`.
    package init(_ configuration: ReplayConfiguration, _ outcome: ReplayOutcome) {
        let figures = outcome.statistics
        let elapsed = outcome.elapsed.milliseconds / 1000
        let offeredFor = min(configuration.duration.map { $0.milliseconds / 1000 } ?? elapsed, elapsed)
        self.warmupSeconds = min(configuration.warmup.milliseconds / 1000, elapsed)
        self.measuredSeconds = elapsed - self.warmupSeconds
        self.connections = configuration.connections
        self.pace = configuration.paceDescription
        self.offeredFps = Double(figures.offered) / max(offeredFor - self.warmupSeconds, 0.001)
        self.warmupFrames = outcome.warmUpFrames
        self.deadlineMs = configuration.deadline.milliseconds
        self.frames = FrameCounts(figures)
        self.keepUp = figures.offered == 0 ? 0 : Double(figures.inTime) / Double(figures.offered)
        self.fps = Double(figures.ok) / max(self.measuredSeconds, 0.001)
        self.worstConnection = outcome.shares.worst
        self.latency = LatencyReport(figures)
        self.stages = figures.ok > 0 ? StageMeans(figures) : nil
        self.timeline = outcome.timeline
        self.agreement = outcome.agreement
        self.notices = outcome.notices
        self.failures = outcome.failures
        self.logFailure = outcome.logFailure
    }

    /// Failures of streams, and of the log of frames.
    var allFailures: [String] { self.failures + [self.logFailure].compactMap(\.self) }
}

extension ReplayConfiguration {
    /// Description of the pace on each connection.
    var paceDescription: String {
        if let maxInFlight = self.maxInFlight { return "closed loop, \(maxInFlight) in flight" }
        switch self.pace {
        case .recorded(let speed):
            return speed == 1 ? "as recorded" : "\(Decimals.short(speed)) times as fast as recorded"
        case .rate(let rate):
            return "\(Decimals.short(rate)) frames/s"
        case .poisson(let rate, let seed):
            return "\(Decimals.short(rate)) frames/s on average (Poisson, seed \(seed))"
        }
    }
}
