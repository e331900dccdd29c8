internal import FrameCodecs
package import GlyphwireProtocol
internal import NIOCore
package import TextEngine

/// A frame's way from its payload to its result: decoded, read, timed.
///
/// Belongs to one thread, and keeps its buffers between frames.
package struct FrameWorker: ~Copyable {
    private let reader: any TextReader
    private let decoder: FrameDecoder
    private let clock = ContinuousClock()

    /// A worker that reads with `reader` frames of up to `limits`.
    package init(reader: any TextReader, limits: WireLimits) {
        self.reader = reader
        self.decoder = FrameDecoder(limits: limits)
    }

    /// Reads one frame.
    ///
    /// - Parameters:
    ///   - frame: How the payload holds the picture.
    ///   - payload: The picture.
    ///   - configuration: What the client wants to know.
    ///   - sequence: The client's own number for the frame.
    ///   - capturedMicroseconds: The client's own time for it.
    ///   - received: When its last byte was there.
    /// - Returns: The text, or why there is none.
    package func read(
        _ frame: FrameDescription,
        payload: RawSpan,
        configuration: StreamConfiguration,
        sequence: UInt64,
        capturedMicroseconds: UInt64 = 0,
        received: ContinuousClock.Instant = .now
    ) -> FrameResult {
        let started = self.clock.now
        var timings = FrameTimings(queue: (started - received).microseconds)
        let outcome: FrameResult.Outcome
        do throws(WireError) {
            let text = try self.decoder.withPixels(of: frame, payload: payload) {
                pixels,
                orientation throws(WireError) in
                timings.decode = (self.clock.now - started).microseconds
                let reading = try self.reader.read(pixels, orientation: orientation, options: configuration.reading)
                timings.detect = reading.detect.microseconds
                timings.recognize = reading.recognize.microseconds
                return FrameText(
                    width: pixels.width,
                    height: pixels.height,
                    orientation: orientation,
                    level: configuration.reading.level,
                    lines: reading.lines,
                    coordinates: configuration.coordinates
                )
            }
            outcome = .ok(text)
        } catch {
            outcome = .error(error)
        }
        timings.total = (self.clock.now - received).microseconds
        return FrameResult(
            sequence: sequence,
            capturedMicroseconds: capturedMicroseconds,
            outcome: outcome,
            timings: timings
        )
    }
}

extension FrameWorker {
    /// Answers a frame whose turn has come: reads it, unless it has become too old.
    ///
    /// - Parameters:
    ///   - job: The frame.
    ///   - expectedByteCount: How long its line may be.
    /// - Returns: The answer, written out.
    func answer(_ job: FrameJob, expectedByteCount: Int = 256) -> FinishedFrame {
        let now = ContinuousClock.now
        if job.isExpired(at: now) { return job.unread(.expired, at: now) }
        var result = self.read(
            job.frame,
            payload: job.payload.readableBytesSpan,
            configuration: job.configuration,
            sequence: job.sequence,
            capturedMicroseconds: job.capturedMicroseconds,
            received: job.arrival.time
        )
        result.ageMilliseconds = job.arrival.ageMilliseconds(at: .now)
        return FinishedFrame(result, expectedByteCount: expectedByteCount)
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
