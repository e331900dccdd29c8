internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import TextRecognition

/// Worker that answers the queued frames of one thread.
///
/// Each frame is read, repeats the previous one, or has expired.
struct FrameWorker: ~Copyable {
    private let processor: FrameProcessor

    /// Creates a worker that reads frames within `limits` with `reader`.
    init(reader: any TextReader, limits: WireLimits) {
        self.processor = FrameProcessor(reader: reader, limits: limits)
    }

    /// Answers a frame: reads it, unless its deadline has passed.
    ///
    /// - Parameters:
    ///   - job: The frame.
    ///   - expectedByteCount: The expected length of its line.
    /// - Returns: The answer with its line.
    func answer(_ job: FrameJob, expectedByteCount: Int = 256) -> FinishedFrame {
        let now = ContinuousClock.now
        if job.isExpired(at: now) { return job.unread(.expired, at: now) }
        job.tracking?.begin(job)
        var result = self.repeated(job, at: now) ?? self.read(job)
        result.ageMilliseconds = job.arrival.ageMilliseconds(at: .now)
        if case .ok(var text) = result.outcome, let changes = job.tracking?.changes(in: text, of: job) {
            text.changes = changes
            result.outcome = .ok(text)
        }
        return FinishedFrame(result, expectedByteCount: expectedByteCount)
    }
}

extension FrameWorker {
    /// Result of a frame that repeats the previous one; `nil` for other frames.
    private func repeated(_ job: FrameJob, at started: ContinuousClock.Instant) -> FrameResult? {
        guard self.processor.canTrack, let text = job.tracking?.text(of: job) else { return nil }
        let ended = ContinuousClock.now
        var timings = job.timings(at: started)
        timings.detect = (ended - started).microseconds
        timings.total = (ended - job.arrival.time).microseconds
        var result = FrameResult(
            sequence: job.sequence,
            capturedMicroseconds: job.capturedMicroseconds,
            outcome: .ok(text),
            timings: timings
        )
        result.work = TrackingWork()
        return result
    }

    /// Reads a frame, and keeps it for comparison with the next one if required.
    private func read(_ job: FrameJob) -> FrameResult {
        let result = self.processor.read(
            job.frame,
            payload: job.payload.readableBytesSpan,
            configuration: job.configuration,
            state: job.tracking.map { FrameProcessor.StreamState(stream: $0.stream, time: $0.time) },
            sequence: job.sequence,
            capturedMicroseconds: job.capturedMicroseconds,
            received: job.arrival.time,
            decoding: job.decoding
        )
        let text: FrameText? = if case .ok(let text) = result.outcome { text } else { nil }
        job.tracking?.remember(job, text: text)
        return result
    }
}
