internal import TextModel
internal import TextRecognition

/// Plan of a level: its models and how they are run, chosen by measurement.
struct LevelPlan {
    /// Second stage of a cascade, of which ``CascadeStage`` has the model.
    struct SecondStage {
        /// Size of its recognizer.
        let recognizer: ModelSize
        /// Policy that rejects readings of the first one.
        let policy: RejectionPolicy
    }

    /// Size of the detector.
    let detector: ModelSize
    /// Detection scale; see ``LevelModels``.
    ///
    /// 0.8 for 1 takes two thirds of the detector's time (accuracy log, *Smaller detector input, recognition cascade and character
    /// boxes from ink*).
    let detectionScale: Float
    /// Detection scale for detect-only requests; see ``LevelModels``.
    ///
    /// 0.6 takes two thirds to three quarters of the time that 0.8 takes, and finds 0.548 for 0.587 of the words of scenes
    /// (accuracy log, *Detect-only segmentation: touching characters and a smaller detector input*).
    let detectOnlyScale: Float
    /// Size of the recognizer that reads every line.
    let recognizer: ModelSize
    /// Second stage of the cascade; `nil` without a cascade.
    let second: SecondStage?
    /// Calibration; see ``LevelModels``.
    ///
    /// Fitted on every other picture of all sets (calibration log, *fast* and *accurate*).
    let calibration: Calibration

    /// Sizes of all recognizers.
    var recognizers: [ModelSize] { [self.recognizer, self.second?.recognizer].compactMap(\.self) }
}

extension RecognitionLevel {
    /// Plan of the level.
    var plan: LevelPlan {
        switch self {
        case .fast:
            LevelPlan(
                detector: .tiny,
                detectionScale: 0.8,
                detectOnlyScale: 0.6,
                recognizer: .tiny,
                second: LevelPlan.SecondStage(recognizer: .small, policy: .fast),
                calibration: Calibration(slope: 0.928, offset: -1.359)
            )
        case .accurate:
            LevelPlan(
                detector: .small,
                detectionScale: 1,
                detectOnlyScale: 1,
                recognizer: .small,
                second: nil,
                calibration: Calibration(slope: 0.807, offset: -1.508)
            )
        }
    }
}
