internal import TextModel

/// Models of one level, which all its readers share.
public struct LevelModels: Sendable {
    /// Detectors of the frames of streams.
    private let frames: LevelDetectors
    /// Detectors of single pictures.
    private let pictures: LevelDetectors
    let lines: LinePipeline

    /// Creates the models of a level.
    ///
    /// - Parameters:
    ///   - detector: Finds the lines of a frame.
    ///   - pictureDetector: Finds the lines of single pictures, whose shapes differ more than those of a stream's frames; `nil`
    ///     for the same.
    ///   - detectionScale: The detector's scale for a frame of usual size; a smaller one is faster and loses small
    ///     text.
    ///   - detectOnlyScale: The same for detect-only requests.
    ///   - recognizer: The model that reads every line.
    ///   - second: The second stage of the cascade; `nil` without a cascade.
    ///   - calibration: The calibration of word confidences.
    ///   - scriptReader: The reader of scripts that the models do not read; `nil` for none.
    public init(
        detector: any InferenceModel<Float>,
        pictureDetector: (any InferenceModel<Float>)? = nil,
        detectionScale: Float = 1,
        detectOnlyScale: Float = 1,
        recognizer: RecognizerModel,
        second: CascadeStage? = nil,
        calibration: Calibration = .identity,
        scriptReader: (any ScriptReader)? = nil
    ) {
        let scales = (reading: detectionScale, detectOnly: detectOnlyScale)
        self.frames = LevelDetectors(detector, scales: scales)
        self.pictures = pictureDetector.map { LevelDetectors($0, scales: scales) } ?? self.frames
        self.lines = LinePipeline(
            recognizer,
            second: second,
            calibration: calibration,
            scriptReader: scriptReader
        )
    }

    /// Detector of the frames of streams.
    func detector(for options: ReadingOptions) -> TextDetector { self.frames.detector(for: options) }

    /// Coarse detector of the frames of streams, which proposes where text may be.
    func coarseDetector(for options: ReadingOptions) -> TextDetector {
        self.frames.detector(for: options, isCoarse: true)
    }

    /// Detector of single pictures.
    func pictureDetector(for options: ReadingOptions) -> TextDetector { self.pictures.detector(for: options) }
}

/// Detectors of one network, for each kind of request.
private struct LevelDetectors: Sendable {
    private let reading: (full: TextDetector, coarse: TextDetector)
    private let detectOnly: (full: TextDetector, coarse: TextDetector)

    /// Creates the detectors of `model`, with the scales for lines that are recognized and for detect-only requests.
    init(_ model: any InferenceModel<Float>, scales: (reading: Float, detectOnly: Float)) {
        func detectors(scale: Float) -> (TextDetector, TextDetector) {
            let settings = DetectorSettings(scale: scale)
            return (
                TextDetector(model: model, settings: settings), TextDetector(model: model, settings: settings.coarse)
            )
        }
        self.reading = detectors(scale: scales.reading)
        self.detectOnly = detectors(scale: scales.detectOnly)
    }

    /// Detector for `options`.
    func detector(for options: ReadingOptions, isCoarse: Bool = false) -> TextDetector {
        let detectors = options.recognize ? self.reading : self.detectOnly
        return isCoarse ? detectors.coarse : detectors.full
    }
}
