internal import TextModel
internal import TextRecognition

/// Which models a level runs and how; chosen by measurement.
struct LevelPlan {
    /// The one that finds the lines.
    let detector: ModelSize
    /// See ``LevelModels``.
    let detectionScale: Float
    /// See ``LevelModels``.
    let measuringScale: Float
    /// The one that reads every line.
    let recognizer: ModelSize
    /// The recogniser that reads what the policy rejects of the first; `nil` where every first reading stands.
    let second: (size: ModelSize, policy: RejectionPolicy)?
    /// See ``LevelModels``; fitted in `docs/log/calibration.md`.
    let calibration: Calibration

    /// Those that read lines.
    var recognizers: [ModelSize] { [self.recognizer, self.second?.size].compactMap(\.self) }
}

extension RecognitionLevel {
    /// What the level runs.
    var plan: LevelPlan {
        switch self {
        case .fast:
            LevelPlan(
                detector: .tiny,
                detectionScale: 0.8,
                measuringScale: 0.6,
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
                measuringScale: 1,
                recognizer: .small,
                second: nil,
                calibration: Calibration(slope: 0.807, offset: -1.508)
            )
        }
    }
}
