internal import GlyphwireProtocol
internal import TextEngine

/// A size in which PP-OCRv6 models come.
enum ModelSize {
    case tiny
    case small

    /// The detector, which keeps its accuracy in bfloat16.
    func detector(in folder: String) -> ModelFile {
        ModelFile(
            path: "\(folder)/PP-OCRv6_det_\(self).onnx",
            kind: .detector,
            normalization: Normalization(mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375]),
            precision: .bfloat16,
            compilation: .eachShape,
            // Whole frames of one size take one, parts of them five.
            capacity: 12
        )
    }

    /// The recogniser.
    func recognizer(in folder: String) -> ModelFile {
        ModelFile(
            path: "\(folder)/PP-OCRv6_rec_\(self).onnx",
            kind: .recognizer,
            normalization: Normalization(mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5]),
            precision: .bfloat16,
            compilation: .eachWidth(upTo: self.fixedWidths.last ?? 0),
            capacity: self.fixedWidths.count + 1
        )
    }

    /// The widths for which the recogniser is compiled by themselves.
    ///
    /// What the small one gains by a fixed width is lost in its calculations, and it takes three times the memory.
    var fixedWidths: [Int] {
        switch self {
        case .tiny: LineRecognizer.widths.filter { $0 <= LineRecognizer.mostFixedWidth }
        case .small: []
        }
    }
}

/// Which models a level runs and how; chosen by measurement.
struct LevelPlan {
    let detector: ModelSize
    /// See ``LevelModels``.
    let detectionScale: Float
    /// The one that reads every line, and the one that reads again what the first doubts.
    let recognizers: [ModelSize]
    /// See ``LevelModels``.
    let doubt: Float
}

extension RecognitionLevel {
    var plan: LevelPlan {
        switch self {
        case .fast:
            LevelPlan(detector: .tiny, detectionScale: 0.8, recognizers: [.tiny, .small], doubt: 0.8)
        case .accurate:
            LevelPlan(detector: .small, detectionScale: 1, recognizers: [.small], doubt: 0)
        }
    }
}
