internal import TextRecognition

/// A size in which PP-OCRv6 models come.
enum ModelSize: String {
    case tiny
    case small

    /// The detector, which keeps its accuracy in bfloat16.
    func detector(in folder: String) -> ModelFile {
        ModelFile(
            path: "\(folder)/PP-OCRv6_det_\(self.rawValue).onnx",
            kind: .detector,
            normalization: Normalization(mean: [123.675, 116.28, 103.53], deviation: [58.395, 57.12, 57.375]),
            memory: self.detectorMemory,
            activationRanges: Self.gainsByBytes ? self.detectorRanges : [:],
            sha256: self.detectorHash
        )
    }

    /// The recogniser.
    func recognizer(in folder: String) -> ModelFile {
        ModelFile(
            path: "\(folder)/PP-OCRv6_rec_\(self.rawValue).onnx",
            kind: .recognizer,
            normalization: Normalization(mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5]),
            memory: self.recognizerMemory,
            activationRanges: Self.gainsByBytes ? self.recognizerRanges : [:],
            sha256: self.recognizerHash,
            features: self.featuresHash.map {
                ModelFile.Part(path: "\(folder)/features_\(self.rawValue).onnx", sha256: $0)
            },
            gate: ModelFile.Part(path: "\(folder)/gate_\(self.rawValue).onnx", sha256: self.gateHash)
        )
    }

    /// Whether bytes are faster than other numbers.
    private static let gainsByBytes = Processor.byteSums != .slow

    /// Which lines the recogniser is compiled for by themselves, where there is memory for it.
    ///
    /// What the small one gains by a fixed width is lost in its calculations, and it takes three times the memory.
    var lineCompilation: Compilation {
        switch self {
        case .tiny: .eachWidth
        case .small: .openWidth
        }
    }

    private var detectorMemory: NetworkMemory {
        switch self {
        case .tiny: NetworkMemory(fixed: 14 << 20, eachPixel: 40)
        case .small: NetworkMemory(fixed: 22 << 20, eachPixel: 54)
        }
    }

    private var recognizerMemory: NetworkMemory {
        switch self {
        case .tiny: NetworkMemory(fixed: 10 << 20, eachPixel: 40, open: 45 << 20)
        case .small: NetworkMemory(fixed: 30 << 20, eachPixel: 80, open: 75 << 20)
        }
    }

    private var detectorHash: String {
        switch self {
        case .tiny: "f42c0fbd294d95eac1a550e131b277dac97462c8025fa4b6c3cec1b7894bd3d5"
        case .small: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f"
        }
    }

    private var recognizerHash: String {
        switch self {
        case .tiny: "38cd559cb4b24c5056592d981b13e086f9472db9b3c8968296f0d0c2b4a65531"
        case .small: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884"
        }
    }

    /// Of the features that were made for a recogniser; `nil` where it keeps its own.
    private var featuresHash: String? {
        switch self {
        case .tiny: "2c62a54c05ed0d3f226ccc7ad522bdc7a806395fa116250965d6c59e3c7bff68"
        case .small: nil
        }
    }

    private var gateHash: String {
        switch self {
        case .tiny: "abab037244c98a3ff5e331e06bf8084556d7cf798891d47d47a9f29bef0bc74d"
        case .small: "e3c327bce315e08e9cd2caa824c10d83ecc735928a89939b1f85e3dbda72c27a"
        }
    }
}
