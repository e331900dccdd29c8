internal import Foundation
internal import TextModel
internal import TextRecognition

/// Loads an engine's models, and plans their networks.
struct ModelLoader {
    /// Where the files are.
    let folder: String
    let runtime: OpenVINORuntime
    let pool: NetworkPool
    /// Whether lines of all widths share one network, for want of memory.
    let isSparing: Bool

    /// The bytes of what frames of 1280 x 720 pixels run on, where each shape has a network of its own.
    static func usualMemory(_ levels: [RecognitionLevel]) -> Int {
        var recognizers: Set<ModelSize> = []
        var bytes = 0
        for plan in levels.map(\.plan) {
            let memory = plan.detector.detector(in: "").memory
            for shape in TextDetector.inputShapes(width: 1280, height: 720, scale: plan.detectionScale) {
                bytes += memory.bytes(for: Compilation.eachShape.input(for: shape))
            }
            recognizers.formUnion(plan.recognizers)
        }
        return recognizers.reduce(bytes) { bytes, size in
            let inputs = size.lineCompilation.lineInputs
            return inputs.reduce(bytes) { $0 + size.recognizer(in: "").memory.bytes(for: $1) }
        }
    }

    /// A detector's networks.
    func detector(_ size: ModelSize) throws(OpenVINOError) -> ModelNetworks {
        let file = size.detector(in: self.folder)
        let contents = try file.contents()
        // Its sides are never open: such a network would take twice the memory and half as long again, and OpenVINO
        // 2026.4.1 would take the means of what its convolutions in bytes give, by which features are weighed, for next
        // to nothing.
        let model = try LoadedModel(file, contents: contents, compilation: .eachShape, runtime: self.runtime)
        guard model.answer.count == 4, model.answer[1] == 1 else { throw OpenVINOError(wrongFile: file) }
        return ModelNetworks(model: model, pool: self.pool)
    }

    /// A recogniser's networks, and what it reads.
    func recognizer(_ size: ModelSize) throws(OpenVINOError) -> (networks: ModelNetworks, alphabet: Alphabet) {
        let file = size.recognizer(in: self.folder)
        let contents = try file.contents()
        let compilation = self.isSparing ? .openWidthOneByOne : size.lineCompilation
        let model = try LoadedModel(file, contents: contents, compilation: compilation, runtime: self.runtime)
        guard let alphabet = try ONNXMetadata(contents, of: file).alphabet?.commonFirst.alphabet,
            model.answer.count == 3, model.answer[2] == alphabet.count
        else { throw OpenVINOError(wrongFile: file) }
        return (ModelNetworks(model: model, pool: self.pool), alphabet)
    }
}
