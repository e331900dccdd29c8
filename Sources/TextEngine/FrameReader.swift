public import FrameCodecs
public import GlyphwireProtocol

/// A recogniser, ready to run on the caller's thread, and what its classes say.
public struct RecognizerModel {
    var model: any InferenceModel<BFloat16>
    var alphabet: Alphabet

    /// The recogniser `model`, whose classes are those of `alphabet`.
    public init(model: any InferenceModel<BFloat16>, alphabet: Alphabet) {
        self.model = model
        self.alphabet = alphabet
    }
}

/// The models of one level, each ready to run on the caller's thread.
public struct LevelModels {
    var detector: any InferenceModel<Float>
    var detectionScale: Float
    var recognizer: RecognizerModel
    var second: (model: RecognizerModel, doubt: Doubt)?
    var calibration: Calibration

    /// The models of a level.
    ///
    /// - Parameters:
    ///   - detector: Finds the lines of a frame.
    ///   - detectionScale: How large the detector sees a frame of usual size; less is faster and loses small text.
    ///   - recognizer: Reads every line.
    ///   - second: Reads again what of the readings of `recognizer` is doubted; `nil` where nothing is read twice.
    ///   - calibration: What the confidence in a word means at this level.
    public init(
        detector: any InferenceModel<Float>,
        detectionScale: Float = 1,
        recognizer: RecognizerModel,
        second: (model: RecognizerModel, doubt: Doubt)? = nil,
        calibration: Calibration = .identity
    ) {
        self.detector = detector
        self.detectionScale = detectionScale
        self.recognizer = recognizer
        self.second = second
        self.calibration = calibration
    }
}

/// The engine: finds lines in a frame, reads them, and places their words and characters.
public final class FrameReader: TextReader {
    private struct Level {
        let detector: TextDetector
        let lineReader: LineReader
    }

    private let levels: [RecognitionLevel: Level]

    /// A reader for the levels in `models`.
    public init(_ models: [RecognitionLevel: LevelModels]) {
        self.levels = models.mapValues { models in
            Level(
                detector: TextDetector(
                    model: models.detector,
                    settings: DetectorSettings(scale: models.detectionScale)
                ),
                lineReader: LineReader(
                    LineRecognizer(models.recognizer),
                    calibration: models.calibration,
                    second: models.second.map {
                        SecondReading(recognizer: LineRecognizer($0.model), doubt: $0.doubt)
                    }
                )
            )
        }
    }

    /// Reads one picture; see ``TextReader/read(_:orientation:options:)``.
    public func read(
        _ pixels: PixelView,
        orientation: Orientation,
        options: ReadingOptions
    ) throws(WireError) -> Reading {
        let clock = ContinuousClock()
        let start = clock.now
        var frame = UprightFrame(pixels, orientation: orientation)
        if options.upright == .auto, let turn = try self.turn(of: frame, options: options) {
            frame = UprightFrame(pixels, orientation: orientation.turned(byQuarters: turn))
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

    private func level(_ options: ReadingOptions) throws(WireError) -> Level {
        guard let level = self.levels[options.level] else {
            throw WireError(.levelUnavailable, "This server runs without the level \"\(options.level.rawValue)\".")
        }
        return level
    }
}

extension FrameReader: PartReader {
    package func find(
        in frame: UprightFrame,
        parts: [PixelRect]?,
        options: ReadingOptions
    ) throws(WireError) -> [DetectedLine] {
        let detector = try self.level(options).detector
        let least = frame.leastHeight(options)
        var found = try detector.detect(
            in: frame,
            region: frame.pixels(of: options.regionOfInterest),
            parts: parts,
            leastHeight: least
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
    ) throws(WireError) -> [TextLine?] {
        let lineReader = try self.level(options).lineReader
        let read =
            options.recognize
            ? try lineReader.read(lines, in: frame, options: options, votes: &votes)
            : lines.map { lineReader.measure($0, in: frame, options: options) }
        let least = frame.leastHeight(options)
        return read.map { line in line.flatMap { $0.box.height >= least ? $0 : nil } }
    }

    package func cost(ofFindingIn parts: [PixelRect], of frame: UprightFrame, options: ReadingOptions) -> Float {
        guard let detector = self.levels[options.level]?.detector else { return 1 }
        return detector.cost(
            ofParts: parts,
            in: frame.pixels(of: options.regionOfInterest),
            leastHeight: frame.leastHeight(options)
        )
    }
}

extension UprightFrame {
    /// The height in upright pixels below which lines are left out.
    fileprivate func leastHeight(_ options: ReadingOptions) -> Float {
        Float(options.minimumTextHeight) * Float(self.height)
    }
}
