internal import TextModel
internal import TextRecognition

/// Plan of a level: its models and how they are run, chosen by measurement.
struct LevelPlan {
    /// Size of the detector.
    let detector: ModelSize
    /// Detection scale; see ``LevelModels``.
    let detectionScale: Float
    /// Detection scale for detect-only requests; see ``LevelModels``.
    let detectOnlyScale: Float
    /// Size of the recognizer that reads every line.
    let recognizer: ModelSize
    /// Second recognizer, for readings that the policy rejects; `nil` without a cascade.
    let second: (size: ModelSize, policy: RejectionPolicy)?
    /// Calibration; see ``LevelModels``.
    ///
    /// It was fitted in `docs/log/calibration.md`.
    let calibration: Calibration

    /// Sizes of all recognizers.
    var recognizers: [ModelSize] { [self.recognizer, self.second?.size].compactMap(\.self) }
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
                second: (
                    .small, RejectionPolicy(character: 0.75, lone: 0.97, nearMiss: 0.2, line: 0.85, columns: 1000)
                ),
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
