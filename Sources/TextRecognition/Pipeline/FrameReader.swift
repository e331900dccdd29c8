public import ImageCodecs
public import TextModel

/// Recognizer with its alphabet.
public struct RecognizerModel: Sendable {
    var model: any InferenceModel<BFloat16>
    var alphabet: Alphabet
    var scripts: ScriptPolicy?

    /// Creates a recognizer from `model`, whose classes are those of `alphabet`.
    ///
    /// - Parameters:
    ///   - model: The network. A second output has the scores of scripts.
    ///   - alphabet: The characters of its classes.
    ///   - scripts: The policy for lines in scripts that it does not read; `nil` to read every line.
    public init(model: any InferenceModel<BFloat16>, alphabet: Alphabet, scripts: ScriptPolicy? = nil) {
        self.model = model
        self.alphabet = alphabet
        self.scripts = scripts
    }
}

/// Models of one level, which all its readers share.
public struct LevelModels: Sendable {
    /// Detector of lines that are recognized.
    private let detector: TextDetector
    /// Detector for detect-only requests.
    private let measuringDetector: TextDetector
    /// Coarse detectors for both, which propose where text may be.
    private let proposers: (reading: TextDetector, measuring: TextDetector)
    let lines: LinePipeline

    /// Creates the models of a level.
    ///
    /// - Parameters:
    ///   - detector: Finds the lines of a frame.
    ///   - detectionScale: The detector's scale for a frame of usual size; a smaller one is faster and loses small
    ///     text.
    ///   - measuringScale: The same for detect-only requests.
    ///   - recognizer: The model that reads every line.
    ///   - second: The model for readings that the policy rejects, with the policy; `nil` without a cascade.
    ///   - calibration: The calibration of word confidences.
    ///   - scriptReader: The reader of scripts that the models do not read; `nil` for none.
    public init(
        detector: any InferenceModel<Float>,
        detectionScale: Float = 1,
        measuringScale: Float = 1,
        recognizer: RecognizerModel,
        second: (model: RecognizerModel, policy: RejectionPolicy)? = nil,
        calibration: Calibration = .identity,
        scriptReader: (any ScriptReader)? = nil
    ) {
        let (settings, measuring) = (DetectorSettings(scale: detectionScale), DetectorSettings(scale: measuringScale))
        self.detector = TextDetector(model: detector, settings: settings)
        self.measuringDetector = TextDetector(model: detector, settings: measuring)
        self.proposers = (
            TextDetector(model: detector, settings: settings.coarse),
            TextDetector(model: detector, settings: measuring.coarse)
        )
        self.lines = LinePipeline(
            recognizer,
            second: second,
            calibration: calibration,
            scriptReader: scriptReader
        )
    }

    /// Detector for `options`.
    func detector(for options: ReadingOptions) -> TextDetector {
        options.recognize ? self.detector : self.measuringDetector
    }

    /// Coarse detector for `options`.
    func proposer(for options: ReadingOptions) -> TextDetector {
        options.recognize ? self.proposers.reading : self.proposers.measuring
    }
}

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
        if options.upright == .auto, let turn = try self.turn(of: frame, options: options) {
            frame = UprightFrame(pixels, orientation: orientation.turned(byQuarterTurns: turn))
        }
        let found = try self.detect(in: frame, regions: nil, options: options)
        let detected = clock.now
        var votes = LineVotes()
        let read = try self.read(found, in: frame, options: options, votes: &votes)
        var lines = read.compactMap(\.self)
        lines = ReadingOrder.sorted(lines.map { frame.upright($0.box) }).map { lines[$0] }
        return Reading(
            lines: lines,
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
            let (region, least) = (options.regionOfInterest, Float(options.minimumTextHeight) * Float(height))
            return detector.scale(
                width: max(1, Int(region.width * Double(width))),
                height: max(1, Int(region.height * Double(height))),
                minTextHeight: least
            )
        }
        return scales[0].scale >= scales[1].scale ? scales[0] : scales[1]
    }

    private func level(_ options: ReadingOptions) throws(RecognitionError) -> LevelModels {
        guard let level = self.levels[options.level] else {
            throw RecognitionError(
                .levelUnavailable,
                "This server runs without the level \"\(options.level.rawValue)\"."
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
        let detector = try self.level(options).detector(for: options)
        let least = frame.leastHeight(options)
        var found = try detector.detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            parts: regions,
            minTextHeight: least,
            with: self.executor
        )
        // A detected box extends beyond the characters, so a box that is too low contains only characters that are too
        // low.
        found.removeAll { min($0.rect.width, $0.rect.height) < least }
        found.sort { $0.elongation > $1.elongation }
        return found
    }

    package func propose(in frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> [DetectedLine] {
        try self.level(options).proposer(for: options).detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            minTextHeight: frame.leastHeight(options),
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
        let least = frame.leastHeight(options)
        return read.map { line in line.flatMap { $0.box.height >= least ? $0 : nil } }
    }

    package func detectionCost(of regions: [PixelRect], in frame: UprightFrame, options: ReadingOptions) -> Float {
        guard let detector = self.levels[options.level]?.detector(for: options) else { return 1 }
        return detector.cost(
            ofParts: regions,
            in: frame.pixels(of: options.regionOfInterest),
            minTextHeight: frame.leastHeight(options)
        )
    }
}

extension UprightFrame {
    /// Minimum height of a line in upright pixels.
    fileprivate func leastHeight(_ options: ReadingOptions) -> Float {
        Float(options.minimumTextHeight) * Float(self.height)
    }
}
