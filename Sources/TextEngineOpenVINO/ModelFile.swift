internal import Foundation
internal import TextEngine

/// Which numbers a network calculates with; chosen by measurement, model by model.
enum Precision: String, Sendable {
    case float32 = "f32"
    /// Falls back to 32 bits where the processor has no bfloat16.
    case bfloat16 = "bf16"
}

/// Which inputs a network is compiled for by themselves.
///
/// A network that knows its input's shape is faster, the more so the smaller it is, and changes from one shape to the next
/// at no cost. It also takes memory, and time to compile.
enum Compilation: Sendable {
    /// None: all share one network whose sides are open. What it has not met before costs it a fraction of a compilation,
    /// and every input takes it half as long again.
    case open
    /// Each shape.
    case eachShape
    /// Each shape up to this width; wider ones share one network whose width is open.
    case eachWidth(upTo: Int)
}

/// How the numbers that a network calculates with follow from bytes: less `mean`, divided by `deviation`.
struct Normalization: Sendable {
    /// Of blue, green and red.
    var mean: [Float]
    /// Of blue, green and red.
    var deviation: [Float]
}

/// A model file and how it is to be run.
struct ModelFile: Sendable {
    /// What a network is for.
    enum Kind {
        case detector
        case recognizer
        /// Nothing that asks for another end than it has.
        case other
    }

    let path: String
    let kind: Kind
    let normalization: Normalization
    let precision: Precision
    var compilation: Compilation
    /// Networks of it that are kept: shapes in use at one time.
    let capacity: Int
    /// What the file must hash to, in hexadecimal digits, as `models/manifest` has it; `nil` takes any file.
    var sha256: String?

    /// The numbers that it answers with: a recogniser's, of which there are many, as they are calculated.
    var answer: Precision { self.kind == .recognizer ? .bfloat16 : .float32 }
}

extension ModelFile {
    /// The file as it is run: with plain weights, and the end that ``DetectorHead`` or ``RecognizerHead`` gives it.
    func contents() throws(OpenVINOError) -> Data {
        guard let file = FileManager.default.contents(atPath: self.path) else {
            throw OpenVINOError(description: "cannot read the model file \(self.path); 'make setup' fetches it")
        }
        if let sha256 = self.sha256, SHA256.hex(of: Array(file)) != sha256 {
            throw OpenVINOError(wrongHash: self)
        }
        guard var graph = ONNXGraph(file) else { throw OpenVINOError(damaged: self) }
        PackedWeights.unpack(&graph)
        let isRight =
            switch self.kind {
            case .detector: DetectorHead.hasten(&graph)
            case .recognizer: RecognizerHead.open(&graph)
            case .other: true
            }
        guard isRight else { throw OpenVINOError(wrongFile: self) }
        return graph.serialized
    }
}
