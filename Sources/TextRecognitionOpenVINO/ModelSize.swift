internal import Foundation
internal import TextModel
internal import TextRecognition

/// Size of a PP-OCRv6 model.
enum ModelSize: String {
    case tiny
    case small

    /// Detector of this size, which keeps its accuracy in bfloat16.
    ///
    /// - Parameters:
    ///   - folder: The folder of the model files.
    ///   - variant: The number format of convolutions.
    ///   - isDynamic: Whether it is for inputs of a dynamic shape, for which networks of integers have files of their own.
    /// - Returns: The file.
    func detector(
        in folder: String,
        _ variant: ModelVariant = Processor.current.variant,
        isDynamic: Bool = false
    ) -> ModelFile {
        let suffix = isDynamic && variant != .float32 ? "-open" : ""
        let name = "detector-\(self.rawValue)-\(variant.rawValue)\(suffix).onnx"
        return ModelFile(
            path: "\(folder)/\(name)",
            sha256: ModelHashes.all[name],
            normalization: Normalization(mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375]),
            memory: self.detectorMemory,
            outputPrecision: .float32
        )
    }

    /// Maximum number of pixels of pictures that share the detector's network with a dynamic shape.
    ///
    /// It takes memory by the largest one. With higher limits, both levels no longer fit in the memory of a server with one worker
    /// (accuracy log, *Networks for pictures of different sizes*).
    var maxSharedPixels: Int {
        switch self {
        case .tiny: 1_500_000
        case .small: 500_000
        }
    }

    /// Recognizer of this size, whose large output stays in bfloat16.
    func recognizer(in folder: String, _ variant: ModelVariant = Processor.current.variant) -> ModelFile {
        let name = "recognizer-\(self.rawValue)-\(variant.rawValue).onnx"
        return ModelFile(
            path: "\(folder)/\(name)",
            sha256: ModelHashes.all[name],
            normalization: Normalization(mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5]),
            memory: self.recognizerMemory,
            outputPrecision: .bfloat16
        )
    }

    /// Alphabet of the recognizer.
    func alphabet(in folder: String) throws(OpenVINOError) -> Alphabet {
        let name = "recognizer-\(self.rawValue).characters"
        let contents = try ModelFile.contents(of: "\(folder)/\(name)", sha256: ModelHashes.all[name])
        return Alphabet(list: String(decoding: contents, as: UTF8.self))
    }

    /// Strategy by which line shapes share the recognizer's networks, if memory allows.
    ///
    /// Fixed widths hardly speed up the small model, whose calculations dominate, and take three times the memory.
    var lineStrategy: ShapeStrategy {
        switch self {
        case .tiny: .eachNarrowWidth
        case .small: .dynamicWidth
        }
    }

    /// Policy for lines in scripts that the recognizer does not read.
    ///
    /// The confidence is that below which the cascade of `fast` rejects a line. The probabilities were chosen with readings of the
    /// public sets in view (accuracy log, *Scripts that cannot be read*).
    var scriptPolicy: ScriptPolicy {
        ScriptPolicy(
            readable: self.scripts,
            probability: ScriptPolicy.certainty,
            certainProbability: 0.998,
            confidence: RejectionPolicy.fast.minLineConfidence
        )
    }

    /// Scripts that the recognizer reads.
    ///
    /// Both have most Greek letters for formulas, and read next to no word in Greek (accuracy log, *Greek, and Japanese at `fast`*).
    var scripts: Set<Script> {
        switch self {
        case .tiny: [.latin, .han]
        case .small: [.latin, .han, .japanese]
        }
    }

    /// Memory of detectors; with a dynamic shape, for inputs of up to ``maxSharedPixels``.
    private var detectorMemory: NetworkMemory {
        switch self {
        case .tiny: NetworkMemory(fixed: 14 << 20, eachPixel: 40, dynamic: 204 << 20)
        case .small: NetworkMemory(fixed: 22 << 20, eachPixel: 54, dynamic: 162 << 20)
        }
    }

    private var recognizerMemory: NetworkMemory {
        switch self {
        case .tiny: NetworkMemory(fixed: 10 << 20, eachPixel: 40, dynamic: 45 << 20)
        case .small: NetworkMemory(fixed: 30 << 20, eachPixel: 80, dynamic: 75 << 20)
        }
    }
}
