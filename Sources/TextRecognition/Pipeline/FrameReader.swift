public import ImageCodecs
public import TextModel

/// Reader that detects lines in a frame, recognizes them, and localizes words and characters.
public final class FrameReader: TextReader {
    private let levels: [RecognitionLevel: LevelModels]
    private let executor: any ParallelExecutor

    /// Creates a reader for the levels in `models`, with an `executor` for parallel work on a frame.
    public init(_ models: [RecognitionLevel: LevelModels], executor: any ParallelExecutor = InlineExecutor()) {
        self.levels = models
        self.executor = executor
    }

    /// Reads one picture; see ``TextReader/read(_:orientation:options:)``.
    public func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions
    ) throws(RecognitionError) -> Reading {
        let clock = ContinuousClock()
        let start = clock.now
        var frame = UprightFrame(pixels, orientation: orientation)
        let found = try self.detect(uprighting: &frame, options: options)
        let detected = clock.now
        var votes = LineVotes()
        let read = try self.read(found, in: frame, options: options, votes: &votes)
        return Reading(
            lines: MachineReadableZone.corrected(
                ReadingOrder.sorted(read.compactMap(\.self), in: frame),
                options: options
            ),
            orientation: frame.orientation,
            detect: detected - start,
            recognize: clock.now - detected
        )
    }

    /// Scale at which a picture is scanned for text; see ``TextReader/detectionScale(width:height:options:)``.
    public func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale {
        guard let detector = self.levels[options.level]?.detector(for: options) else { return .full }
        // The orientation of the picture is not known yet.
        let scales = [(width, height), (height, width)].map { width, height in
            let (region, minHeight) = (options.regionOfInterest, Float(options.minimumTextHeight) * Float(height))
            return detector.scale(
                width: max(1, Int(region.width * Double(width))),
                height: max(1, Int(region.height * Double(height))),
                minTextHeight: minHeight
            )
        }
        return scales[0].scale >= scales[1].scale ? scales[0] : scales[1]
    }

    /// Detects the lines of a picture, which is turned by them where the client leaves its orientation to the server.
    ///
    /// Most such pictures are upright, and are scanned once.
    private func detect(
        uprighting frame: inout UprightFrame,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        guard options.upright == .auto else { return try self.detect(inPicture: frame, options: options) }
        let lines = try self.detect(inPicture: frame, options: options.forTurn)
        let turn = try self.turn(of: frame, by: lines, options: options.forTurn) ?? 0
        guard turn != 0 || !options.detectsAllText else { return lines }
        frame = UprightFrame(frame.view, orientation: frame.orientation.turned(byQuarterTurns: turn))
        return try self.detect(inPicture: frame, options: options)
    }

    private func level(_ options: ReadingOptions) throws(RecognitionError) -> LevelModels {
        guard let level = self.levels[options.level] else {
            throw RecognitionError(
                .levelUnavailable,
                "this server runs without the level \"\(options.level.rawValue)\""
            )
        }
        return level
    }
}

extension FrameReader: RegionReader {
    package func detect(
        in frame: UprightFrame,
        regions: [PixelRect]?,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        try self.detect(in: frame, regions: regions, options: options, by: self.level(options).detector(for: options))
    }

    package func detect(
        inPicture frame: UprightFrame,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        let detector = try self.level(options).pictureDetector(for: options)
        return try self.detect(in: frame, regions: nil, options: options, by: detector)
    }

    private func detect(
        in frame: UprightFrame,
        regions: [PixelRect]?,
        options: ReadingOptions,
        by detector: TextDetector
    ) throws(RecognitionError) -> [DetectedLine] {
        let minHeight = frame.minHeight(options)
        var found = try detector.detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            parts: regions,
            minTextHeight: minHeight,
            with: self.executor
        )
        // A detected box extends beyond the characters, so a box that is too low contains only characters that are too
        // low.
        found.removeAll { $0.letterHeight < minHeight }
        found.sort { $0.elongation > $1.elongation }
        return found
    }

    package func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] {
        try self.level(options).coarseDetector(for: options).detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            minTextHeight: frame.minHeight(options),
            with: self.executor
        )
    }

    package func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout LineVotes
    ) throws(RecognitionError) -> [TextLine?] {
        let pipeline = try self.level(options).lines
        let context = LineContext(frame: frame, options: options)
        let read =
            options.recognize
            ? try pipeline.read(lines, in: context, with: self.executor, votes: &votes)
            : pipeline.segment(lines, in: context, with: self.executor)
        let minHeight = frame.minHeight(options)
        return read.map { line in line.flatMap { $0.box.height >= minHeight ? $0 : nil } }
    }

    package func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float {
        guard let detector = self.levels[options.level]?.detector(for: options) else { return 1 }
        return detector.cost(
            ofParts: regions,
            in: frame.pixels(of: options.regionOfInterest),
            minTextHeight: frame.minHeight(options)
        )
    }
}

extension UprightFrame {
    /// Minimum height of a line in upright pixels.
    fileprivate func minHeight(_ options: ReadingOptions) -> Float {
        Float(options.minimumTextHeight) * Float(self.height)
    }
}
