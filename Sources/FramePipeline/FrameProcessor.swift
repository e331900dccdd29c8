package import GlyphwireProtocol
internal import ImageCodecs
package import TextModel
package import TextRecognition
internal import TextSearch
package import TextTracking

/// The processing of a frame, from its payload to its result: decoded, recognized, timed.
///
/// Belongs to one thread, and keeps its buffers between frames.
package struct FrameProcessor: ~Copyable {
    /// What a stream's earlier frames have shown, which the next one is compared with.
    package struct StreamState {
        /// The tracker of the stream's text.
        let stream: TextStream
        /// The time from the stream's start to the frame's arrival.
        let time: Duration

        /// A stream's tracker at the time of a frame.
        package init(stream: TextStream, time: Duration) {
            self.stream = stream
            self.time = time
        }
    }

    private let reader: any TextReader
    /// The reader, if it can read parts of a frame.
    private let partReader: (any PartReader)?
    private let decoder: FrameDecoder
    private let maxWords: Int
    private let clock = ContinuousClock()

    /// A processor that reads with `reader` frames of up to `limits`.
    package init(reader: any TextReader, limits: WireLimits) {
        self.reader = reader
        self.partReader = reader as? any PartReader
        self.decoder = FrameDecoder(limits: limits.picture)
        self.maxWords = limits.maxWords
    }

    /// Whether frames of a stream can be compared with each other.
    package var canTrack: Bool { self.partReader != nil }

    /// Reads one frame.
    ///
    /// - Parameters:
    ///   - frame: How the payload holds the picture.
    ///   - payload: The picture.
    ///   - configuration: What the client wants to know.
    ///   - state: What the stream's earlier frames have shown; `nil` reads the frame by itself.
    ///   - sequence: The client's own number for the frame.
    ///   - capturedMicroseconds: The client's own time for it.
    ///   - received: When its last byte was there.
    /// - Returns: The text, or why there is none.
    package func read(
        _ frame: FrameDescription,
        payload: RawSpan,
        configuration: StreamConfiguration,
        state: StreamState? = nil,
        sequence: UInt64,
        capturedMicroseconds: UInt64 = 0,
        received: ContinuousClock.Instant = .now
    ) -> FrameResult {
        let started = self.clock.now
        var timings = FrameTimings(queue: (started - received).microseconds)
        let outcome: FrameResult.Outcome
        do throws(CodecError) {
            let text = try self.decoder.withFrame(
                frame,
                payload: payload,
                damaged: configuration.damaged,
                leastScale: { width, height in
                    self.detectionScale(width: width, height: height, configuration.reading).leastDecodingScale
                }
            ) { decoded in
                timings.decode = (self.clock.now - started).microseconds
                return Result { () throws(RecognitionError) in
                    try self.text(in: decoded, configuration: configuration, state: state, timings: &timings)
                }
            }
            outcome =
                switch text {
                case .success(let text): .ok(text)
                case .failure(let error): .error(WireError(error))
                }
        } catch {
            outcome = .error(WireError(error))
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

extension FrameProcessor {
    /// The scale at which a frame of `width` x `height` is scanned.
    private func detectionScale(width: Int, height: Int, _ options: ReadingOptions) -> DetectionScale {
        self.reader.detectionScale(width: width, height: height, options: options)
    }

    /// Reads a decoded frame, by itself or compared with those before it.
    private func text(
        in frame: DecodedFrame,
        configuration: StreamConfiguration,
        state: StreamState?,
        timings: inout FrameTimings
    ) throws(RecognitionError) -> FrameText {
        let (pixels, orientation) = (frame.pixels, frame.orientation)
        var options = configuration.reading
        // A match's box is made of those of its characters.
        if !configuration.find.isEmpty { options.characters = true }
        let scale = self.detectionScale(width: frame.width, height: frame.height, configuration.reading)
        func text(_ lines: [TextLine], _ turned: Orientation?, reused: Bool = false, lost: [UInt64] = []) -> FrameText {
            let intact = frame.intactLines(of: frame.sent(lines))
            let reported = Array(intact.lines.prefix(words: self.maxWords))
            return FrameText(
                width: frame.width,
                height: frame.height,
                orientation: turned ?? orientation,
                level: options.level,
                lines: options.characters == configuration.reading.characters
                    ? reported : reported.map(\.withoutCharacters),
                coordinates: configuration.coordinates,
                reused: reused,
                lost: intact.lost.isEmpty ? lost : (lost + intact.lost).sorted(),
                truncated: reported.count < intact.lines.count,
                found: configuration.find.isEmpty ? nil : TextFinder.matches(of: configuration.find, in: reported),
                warnings: frame.warnings + scale.warnings
            )
        }
        guard let state, let partReader = self.partReader else {
            let reading = try self.reader.read(pixels, orientation: orientation, options: options)
            (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
            return text(reading.lines, reading.orientation)
        }
        let reading = try state.stream.read(
            pixels,
            orientation: orientation,
            options: options,
            refresh: .milliseconds(configuration.refreshMilliseconds),
            at: state.time,
            with: partReader
        )
        (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
        return text(reading.lines, reading.orientation, reused: reading.isReused, lost: reading.lost)
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
    package var microseconds: Int {
        let (seconds, attoseconds) = self.components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
