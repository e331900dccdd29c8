public import ImageCodecs
public import TextModel

/// A recogniser, ready to run on its callers' threads, and what its classes say.
public struct RecognizerModel: Sendable {
    var model: any InferenceModel<BFloat16>
    var alphabet: Alphabet

    /// The recogniser `model`, whose classes are those of `alphabet`.
    public init(model: any InferenceModel<BFloat16>, alphabet: Alphabet) {
        self.model = model
        self.alphabet = alphabet
    }
}

/// The models of one level, and what all its readers share.
public struct LevelModels: Sendable {
    /// Finds lines that are read.
    private let detector: TextDetector
    /// Finds lines of which only boxes are asked for.
    private let measuringDetector: TextDetector
    let lines: LinePipeline

    /// The models of a level.
    ///
    /// - Parameters:
    ///   - detector: Finds the lines of a frame.
    ///   - detectionScale: How large the detector sees a frame of usual size; less is faster and loses small text.
    ///   - measuringScale: The same where only boxes are asked for.
    ///   - recognizer: Reads every line.
    ///   - second: The model that reads what the policy rejects; `nil` where every first reading stands.
    ///   - calibration: What the confidence in a word means at this level.
    public init(
        detector: any InferenceModel<Float>,
        detectionScale: Float = 1,
        measuringScale: Float = 1,
        recognizer: RecognizerModel,
        second: (model: RecognizerModel, policy: RejectionPolicy)? = nil,
        calibration: Calibration = .identity
    ) {
        self.detector = TextDetector(model: detector, settings: DetectorSettings(scale: detectionScale))
        self.measuringDetector = TextDetector(model: detector, settings: DetectorSettings(scale: measuringScale))
        self.lines = LinePipeline(
            recognizer,
            second: second,
            calibration: calibration
        )
    }

    /// What finds the lines that `options` ask for.
    func detector(for options: ReadingOptions) -> TextDetector {
        options.recognize ? self.detector : self.measuringDetector
    }
}

/// The engine: finds lines in a frame, reads them, and places their words and characters.
public final class FrameReader: TextReader {
    private let levels: [RecognitionLevel: LevelModels]
    private let executor: any ParallelExecutor

    /// A reader for the levels in `models`, with which `executor` take part in the work on a frame.
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
        let found = try self.find(in: frame, parts: nil, options: options)
        let detected = clock.now
        var votes = DirectionVotes()
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

    /// At which size a picture is scanned for text; see ``TextReader/detectionScale(width:height:options:)``.
    public func detectionScale(width: Int, height: Int, options: ReadingOptions) -> DetectionScale {
        guard let detector = self.levels[options.level]?.detector(for: options) else { return .full }
        // How the picture will be turned is not known yet.
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

extension FrameReader: PartReader {
    package func find(
        in frame: UprightFrame,
        parts: [PixelRect]?,
        options: ReadingOptions
    ) throws(RecognitionError) -> [DetectedLine] {
        let detector = try self.level(options).detector(for: options)
        let least = frame.leastHeight(options)
        var found = try detector.detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            parts: parts,
            minTextHeight: least,
            with: self.executor
        )
        // A detected box reaches beyond the letters, so one that is too low holds none that are high enough.
        found.removeAll { min($0.rect.width, $0.rect.height) < least }
        found.sort { $0.elongation > $1.elongation }
        return found
    }

    package func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        votes: inout DirectionVotes
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

    package func cost(ofFindingIn parts: [PixelRect], of frame: UprightFrame, options: ReadingOptions) -> Float {
        guard let detector = self.levels[options.level]?.detector(for: options) else { return 1 }
        return detector.cost(
            ofParts: parts,
            in: frame.pixels(of: options.regionOfInterest),
            minTextHeight: frame.leastHeight(options)
        )
    }
}

extension UprightFrame {
    /// The height in upright pixels below which lines are left out.
    fileprivate func leastHeight(_ options: ReadingOptions) -> Float {
        Float(options.minimumTextHeight) * Float(self.height)
    }
}
