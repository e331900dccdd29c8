internal import GlyphwireProtocol
internal import TextModel

/// All frames of a server since its start: what `stats` lines say of them, and what those who watch the server want to know
/// besides.
///
/// One lock, held once for each frame, keeps all of it: so the counts agree with each other.
struct ServerStatistics: Sendable {
    private(set) var frames = FrameStatistics<UInt64>()
    private(set) var reused = 0
    private(set) var errors: [WireError.Code: Int] = [:]
    private(set) var warnings: [FrameWarning.Code: Int] = [:]
    private(set) var stages = ServerMetrics.Stages()
    private(set) var age = DurationHistogram()
    private(set) var busyMicroseconds = 0
    /// When a worker has last been done with a frame.
    private(set) var lastWork: ContinuousClock.Instant?

    /// Counts a frame that was answered.
    mutating func frameAnswered(_ result: FrameResult) {
        self.frames.frameAnswered(FrameStatus(result.outcome), result.timings)
        if let age = result.ageMilliseconds { self.age.record(microseconds: age.multipliedSaturating(by: 1000)) }
        switch result.outcome {
        case .ok(let text):
            if text.reused { self.reused += 1 }
            for warning in text.warnings { self.warnings[warning.code, default: 0] += 1 }
            self.stages.record(result.timings)
        case .error(let error):
            self.errors[error.code, default: 0] += 1
        case .dropped, .expired, .other: return
        }
        self.busyMicroseconds += result.timings.total - result.timings.queue
        self.lastWork = .now
    }
}

extension Int {
    fileprivate func multipliedSaturating(by factor: Int) -> Int {
        let (product, overflow) = self.multipliedReportingOverflow(by: factor)
        return overflow ? (self < 0 ? .min : .max) : product
    }
}

extension ServerMetrics.Stages {
    fileprivate mutating func record(_ timings: FrameTimings) {
        self.queue.record(microseconds: timings.queue)
        self.decode.record(microseconds: timings.decode)
        self.detect.record(microseconds: timings.detect)
        self.recognize.record(microseconds: timings.recognize)
        self.total.record(microseconds: timings.total)
    }
}
