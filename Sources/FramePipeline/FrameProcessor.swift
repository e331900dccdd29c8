package import GlyphwireProtocol
internal import ImageCodecs
package import TextModel
package import TextRecognition
internal import TextSearch
package import TextTracking

/// Processor of frames, from payload to result: decodes, recognizes and times each frame.
///
/// It belongs to one thread and keeps its buffers between frames.
package struct FrameProcessor: ~Copyable {
    /// Tracking state of a stream, with which the next frame is compared.
    package struct StreamState {
        /// The tracker of the stream's text.
        let stream: StreamTracker
        /// Time of the frame, from the first one of the stream.
        let time: Duration

        /// Creates the state of a stream at the time of a frame.
        package init(stream: StreamTracker, time: Duration) {
            self.stream = stream
            self.time = time
        }
    }

    private let reader: any TextReader
    /// The reader, if it can read regions of a frame.
    private let regionReader: (any RegionReader)?
    private let decoder: FrameDecoder
    private let maxWords: Int
    private let clock = ContinuousClock()

    /// Creates a processor that reads frames within `limits` with `reader`.
    package init(reader: any TextReader, limits: WireLimits) {
        self.reader = reader
        self.regionReader = reader as? any RegionReader
        self.decoder = FrameDecoder(limits: limits.picture)
        self.maxWords = limits.maxWords
    }

    /// Whether frames of a stream can be compared with each other.
    package var canTrack: Bool { self.regionReader != nil }

    /// Reads one frame.
    ///
    /// - Parameters:
    ///   - frame: Encoding and size of the picture.
    ///   - payload: The picture.
    ///   - configuration: The client's configuration.
    ///   - state: The stream's tracking state; `nil` reads the frame on its own.
    ///   - sequence: The client's own number for the frame.
    ///   - capturedMicroseconds: The client's own time for it.
    ///   - received: The time at which its last byte arrived.
    ///   - decoding: The time in which it was decoded since then, if the payload is not what was received.
    /// - Returns: The text, or the error.
    package func read(
        _ frame: FrameDescription,
        payload: RawSpan,
        configuration: StreamConfiguration,
        state: StreamState? = nil,
        sequence: UInt64,
        capturedMicroseconds: UInt64 = 0,
        received: ContinuousClock.Instant = .now,
        decoding: Duration = .zero
    ) -> FrameResult {
        let started = self.clock.now
        var timings = FrameTimings(
            queue: (started - received - decoding).microseconds,
            decode: decoding.microseconds
        )
        var work: TrackingWork?
        let outcome: FrameResult.Outcome
        do throws(CodecError) {
            let text = try self.decoder.withFrame(
                frame,
                payload: payload,
                damaged: configuration.damaged,
                minScale: { width, height in
                    self.detectionScale(width: width, height: height, configuration).minDecodingScale
                }
            ) { decoded in
                timings.decode = (self.clock.now - started + decoding).microseconds
                return Result { () throws(RecognitionError) in
                    try self.text(
                        in: decoded,
                        configuration: configuration,
                        state: state,
                        timings: &timings,
                        work: &work
                    )
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
        var result = FrameResult(
            sequence: sequence,
            capturedMicroseconds: capturedMicroseconds,
            outcome: outcome,
            timings: timings
        )
        result.work = work
        return result
    }
}

extension FrameProcessor {
    /// Scale at which a frame of `width` x `height` is scanned; of regions, that of the most closely scanned one.
    private func detectionScale(width: Int, height: Int, _ configuration: StreamConfiguration) -> DetectionScale {
        let options = configuration.readingRegions.map(\.options)
        let scales = (options.isEmpty ? [configuration.reading] : options).map { options in
            self.reader.detectionScale(width: width, height: height, options: options)
        }
        return scales.max { $0.scale < $1.scale } ?? .full
    }

    /// Reads a decoded frame, on its own or compared with earlier ones.
    private func text(
        in frame: DecodedFrame,
        configuration: StreamConfiguration,
        state: StreamState?,
        timings: inout FrameTimings,
        work: inout TrackingWork?
    ) throws(RecognitionError) -> FrameText {
        let (pixels, orientation, regions) = (frame.pixels, frame.orientation, configuration.readingRegions)
        var options = configuration.reading
        // The box of a match is the union of its characters' boxes.
        if configuration.searches { options.characters = true }
        guard let state, let regionReader = self.regionReader else {
            let reading =
                regions.isEmpty
                ? try self.reader.read(pixels, orientation: orientation, options: options)
                : try ReadingRegion.read(
                    regions,
                    of: pixels,
                    orientation: orientation,
                    options: options,
                    with: self.reader
                )
            (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
            let reported = frame.reported(reading.lines, maxWords: self.maxWords)
            return self.text(of: reported, in: frame, configuration, orientation: reading.orientation ?? orientation)
        }
        let reading = try state.stream.read(
            pixels,
            orientation: orientation,
            options: options,
            regions: regions,
            refresh: .milliseconds(configuration.refreshMilliseconds),
            at: state.time,
            with: regionReader
        )
        (timings.detect, timings.recognize) = (reading.detect.microseconds, reading.recognize.microseconds)
        work = reading.work
        let reported = frame.reported(reading.lines, maxWords: self.maxWords)
        return self.text(
            of: reported,
            in: frame,
            configuration,
            orientation: reading.orientation,
            reused: reading.isReused,
            lost: state.stream.lostIDs(reporting: reported.lines)
        )
    }

    /// Text of a frame, of the lines that are reported.
    private func text(
        of reported: ReportedLines,
        in frame: DecodedFrame,
        _ configuration: StreamConfiguration,
        orientation: Orientation,
        reused: Bool = false,
        lost: [UInt64] = []
    ) -> FrameText {
        // The warning is about the frame as sent, even if it was decoded at a reduced scale, or as it was made square.
        let scale = self.detectionScale(
            width: max(frame.width, frame.pixels.width),
            height: max(frame.height, frame.pixels.height),
            configuration
        )
        let keepsCharacters = configuration.reading.characters || !configuration.searches
        return FrameText(
            width: frame.width,
            height: frame.height,
            orientation: orientation,
            level: configuration.reading.level,
            lines: keepsCharacters ? reported.lines : reported.lines.map(\.withoutCharacters),
            coordinates: configuration.coordinates,
            reused: reused,
            lost: lost,
            truncated: reported.isTruncated,
            found: configuration.searches
                ? TextFinder.matches(in: reported.lines) { configuration.patterns(in: $0.region) } : nil,
            warnings: frame.warnings + scale.warnings
        )
    }
}

/// Lines of a frame that are reported.
private struct ReportedLines {
    let lines: [TextLine]
    /// Whether lines are omitted because of the limit on words.
    let isTruncated: Bool
}

extension StreamConfiguration {
    /// Regions of a frame that are read, each with its options; empty to read all of it.
    fileprivate var readingRegions: [ReadingRegion] {
        self.regions.map { region in
            var options = region.reading(self.reading)
            if !self.patterns(in: region.name).isEmpty { options.characters = true }
            return ReadingRegion(name: region.name, outline: region.outline, options: options)
        }
    }
}

extension DecodedFrame {
    /// Lines to report: those above the damage, within the limit on words, with boxes in pixels of the frame as sent.
    fileprivate func reported(_ lines: [TextLine], maxWords: Int) -> ReportedLines {
        let intact = self.intactLines(of: self.sent(lines))
        let reported = Array(intact.prefix(words: maxWords))
        return ReportedLines(lines: reported, isTruncated: reported.count < intact.count)
    }

    /// Lines above the damage.
    ///
    /// A line that extends into the first damaged row is cut by it, and the rest of its letters may read as others.
    private func intactLines(of lines: [TextLine]) -> [TextLine] {
        guard self.intactRows < self.height else { return lines }
        let limit = Float(self.intactRows)
        return lines.filter { line in line.box.corners.allSatisfy { $0.y <= limit } }
    }
}

extension [TextLine] {
    /// The first lines that have at most `count` words in total.
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
    /// Copy of the line whose words have no characters.
    fileprivate var withoutCharacters: TextLine {
        var line = self
        for word in line.words.indices { line.words[word].characters = [] }
        return line
    }
}
