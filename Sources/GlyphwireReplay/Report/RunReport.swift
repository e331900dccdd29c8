/// What a run has shown, for a file or a person.
package struct RunReport: Sendable, Codable {
    /// How many connections played.
    package var connections: Int
    /// How fast frames followed each other on each connection, in words.
    package var pace: String
    /// Frames a second that were offered on all connections together.
    package var offeredFps: Double
    /// From the first frame after the warm-up to the last result.
    package var measuredSeconds: Double
    /// What was left out at the beginning.
    package var warmupSeconds: Double
    /// What was left out at the beginning.
    package var warmupFrames: Int
    /// A frame was in time that was read so soon after it was due.
    package var deadlineMs: Double
    /// What became of the frames.
    package var frames: FrameCounts
    /// The keep-up score: frames read in time over frames offered, 0...1.
    package var keepUp: Double
    /// Frames read a second.
    package var fps: Double
    /// How long frames took that were read.
    package var latency: LatencyReport
    /// Where that time went on average; `nil` if no frame was read.
    package var stages: StageMeans?
    /// How it went, second by second.
    package var timeline: [TimelineEntry]
    /// How far the results are what was expected; `nil` if nothing was.
    package var agreement: Agreement?
    /// What a person should know beside the figures, each once.
    package var notices: [String]
    /// Why streams failed; empty if none did.
    package var failures: [String]

    /// A report on what `configuration` has led to.
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
        self.latency = LatencyReport(figures)
        self.stages = figures.ok > 0 ? StageMeans(figures) : nil
        self.timeline = outcome.timeline
        self.agreement = outcome.agreement
        self.notices = outcome.notices
        self.failures = outcome.failures
    }
}

extension ReplayConfiguration {
    /// How fast frames follow each other on a connection, in words.
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
