internal import FrameCodecs
package import GlyphwireProtocol
internal import NIOCore
package import TextEngine
internal import TextTracking

/// A frame's way from its payload to its result: decoded, read, timed.
///
/// Belongs to one thread, and keeps its buffers between frames.
package struct FrameWorker: ~Copyable {
    private let reader: any TextReader
    /// The reader, if it can read parts of a frame.
    private let partReader: (any PartReader)?
    private let decoder: FrameDecoder
    private let maxWords: Int
    private let clock = ContinuousClock()

    /// A worker that reads with `reader` frames of up to `limits`.
    package init(reader: any TextReader, limits: WireLimits) {
        self.reader = reader
        self.partReader = reader as? any PartReader
        self.decoder = FrameDecoder(limits: limits)
        self.maxWords = limits.maxWords
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
        self.read(
            frame,
            payload: payload,
            configuration: configuration,
            memory: nil,
            sequence: sequence,
            capturedMicroseconds: capturedMicroseconds,
            received: received
        )
    }

    private func read(
        _ frame: FrameDescription,
        payload: RawSpan,
        configuration: StreamConfiguration,
        memory: StreamMemory?,
        sequence: UInt64,
        capturedMicroseconds: UInt64,
        received: ContinuousClock.Instant
    ) -> FrameResult {
        let started = self.clock.now
        var timings = FrameTimings(queue: (started - received).microseconds)
        let outcome: FrameResult.Outcome
        do throws(WireError) {
            let text = try self.decoder.withFrame(
                frame,
                payload: payload,
                damaged: configuration.damaged,
                leastScale: { self.detectionScale($0, $1, configuration).leastDecodingScale }
            ) { decoded throws(WireError) in
                timings.decode = (self.clock.now - started).microseconds
                return try self.text(in: decoded, configuration, memory, received, &timings)
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
    /// At which size a frame of `width` x `height` is scanned.
    private func detectionScale(_ width: Int, _ height: Int, _ configuration: StreamConfiguration) -> DetectionScale {
        self.reader.detectionScale(width: width, height: height, options: configuration.reading)
    }

    /// Reads a picture, with the help of what earlier ones told where they are compared.
    private func text(
        in frame: DecodedFrame,
        _ configuration: StreamConfiguration,
        _ memory: StreamMemory?,
        _ received: ContinuousClock.Instant,
        _ timings: inout FrameTimings
    ) throws(WireError) -> FrameText {
        let (pixels, orientation) = (frame.pixels, frame.orientation)
        var options = configuration.reading
        // A match's box is made of those of its characters.
        if !configuration.find.isEmpty { options.characters = true }
        let scale = self.detectionScale(frame.width, frame.height, configuration)
        func text(_ lines: [TextLine], _ turned: Orientation?, reused: Bool = false, lost: [UInt64] = []) -> FrameText {
            let intact = frame.intactLines(of: frame.sent(lines))
            let told = Array(intact.lines.prefix(words: self.maxWords))
            return FrameText(
                width: frame.width,
                height: frame.height,
                orientation: turned ?? orientation,
                level: options.level,
                lines: options.characters == configuration.reading.characters ? told : told.map(\.withoutCharacters),
                coordinates: configuration.coordinates,
                reused: reused,
                lost: intact.lost.isEmpty ? lost : (lost + intact.lost).sorted(),
                truncated: told.count < intact.lines.count,
                found: configuration.find.isEmpty ? nil : TextFinder.matches(of: configuration.find, in: told),
                warnings: frame.warnings + scale.warnings
            )
        }
        guard let memory, let partReader = self.partReader else {
            let reading = try self.reader.read(pixels, orientation: orientation, options: options)
            (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
            return text(reading.lines, reading.orientation)
        }
        let reading = try memory.stream.read(
            pixels,
            orientation: orientation,
            options: options,
            refresh: .milliseconds(configuration.refreshMilliseconds),
            at: received - memory.start,
            with: partReader
        )
        (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
        return text(reading.lines, reading.orientation, reused: reading.isReused, lost: reading.lost)
    }

    /// Answers a frame whose turn has come: reads it, unless it has become too old.
    ///
    /// - Parameters:
    ///   - job: The frame.
    ///   - expectedByteCount: How long its line may be.
    /// - Returns: The answer, written out.
    func answer(_ job: FrameJob, expectedByteCount: Int = 256) -> FinishedFrame {
        let now = ContinuousClock.now
        if job.isExpired(at: now) { return job.unread(.expired, at: now) }
        var result = self.known(job, at: now) ?? self.read(job)
        result.ageMilliseconds = job.arrival.ageMilliseconds(at: .now)
        return FinishedFrame(result, expectedByteCount: expectedByteCount)
    }
}

extension FrameWorker {
    /// What is known of a frame without decoding it.
    private func known(_ job: FrameJob, at started: ContinuousClock.Instant) -> FrameResult? {
        guard self.partReader != nil, let text = job.memory?.text(of: job) else { return nil }
        let ended = self.clock.now
        return FrameResult(
            sequence: job.sequence,
            capturedMicroseconds: job.capturedMicroseconds,
            outcome: .ok(text),
            timings: FrameTimings(
                queue: (started - job.arrival.time).microseconds,
                detect: (ended - started).microseconds,
                total: (ended - job.arrival.time).microseconds
            )
        )
    }

    /// Reads a frame, and keeps it for the next one where they are compared.
    private func read(_ job: FrameJob) -> FrameResult {
        let result = self.read(
            job.frame,
            payload: job.payload.readableBytesSpan,
            configuration: job.configuration,
            memory: job.memory,
            sequence: job.sequence,
            capturedMicroseconds: job.capturedMicroseconds,
            received: job.arrival.time
        )
        let text: FrameText? = if case .ok(let text) = result.outcome { text } else { nil }
        job.memory?.remember(job, text: text)
        return result
    }
}

extension DecodedFrame {
    /// The lines of text that lie above the damage, and the ids of words that earlier frames had in the other lines.
    ///
    /// A line that reaches into the first row of the damage is cut by it, and what is left of its letters may be others.
    fileprivate func intactLines(of lines: [TextLine]) -> (lines: [TextLine], lost: [UInt64]) {
        guard self.intactRows < self.height else { return (lines, []) }
        let limit = Float(self.intactRows)
        let isIntact = { (line: TextLine) in line.box.corners.allSatisfy { $0.y <= limit } }
        let cut = lines.lazy.filter { !isIntact($0) && $0.state != .new }
        return (lines.filter(isIntact), cut.flatMap(\.words).compactMap(\.id))
    }
}

extension [TextLine] {
    /// The first lines that have at most `count` words together.
    fileprivate func prefix(words count: Int) -> ArraySlice<TextLine> {
        var words = 0
        let end = self.firstIndex { line in
            words += line.words.count
            return words > count
        }
        return self[..<(end ?? self.endIndex)]
    }
}

extension TextLine {
    /// The line, its words without their characters.
    fileprivate var withoutCharacters: TextLine {
        var line = self
        for word in line.words.indices { line.words[word].characters = [] }
        return line
    }
}

extension Duration {
    /// Whole microseconds.
    var microseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
