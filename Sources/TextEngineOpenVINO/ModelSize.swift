internal import TextEngine

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
            precision: .bfloat16,
            compilation: .eachShape,
            capacity: 8
        )
    }

    /// The recogniser.
    func recognizer(in folder: String) -> ModelFile {
        ModelFile(
            path: "\(folder)/PP-OCRv6_rec_\(self.rawValue).onnx",
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
