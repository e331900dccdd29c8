internal import Foundation
internal import TextModel
internal import TextRecognition

/// Loader of an engine's models.
struct ModelLoader {
    /// Folder of the model files.
    let folder: String
    let runtime: OpenVINORuntime
    let pool: NetworkPool
    /// Cache of compiled networks; `nil` for none.
    let cache: NetworkCache?
    /// Whether there is little memory: lines of all widths share one network, and pictures of all shapes do not, since
    /// that network takes more than one of a single shape.
    let lowMemory: Bool

    /// Input shapes of frames of 1280 x 720 pixels, and of parts of frames.
    static func usualShapes(of plan: LevelPlan) -> [InputShape] {
        TextDetector.inputShapes(width: 1280, height: 720, scale: plan.detectionScale)
    }

    /// Memory for frames of 1280 x 720 pixels if each shape has its own network.
    static func usualMemory(_ levels: [RecognitionLevel]) -> Int {
        var recognizers: Set<ModelSize> = []
        var bytes = 0
        for plan in levels.map(\.plan) {
            let memory = plan.detector.detector(in: "").memory
            for shape in Self.usualShapes(of: plan) {
                bytes += memory.bytes(for: ShapeStrategy.eachShape.input(for: shape))
            }
            recognizers.formUnion(plan.recognizers)
        }
        return recognizers.reduce(bytes) { bytes, size in
            let inputs = size.lineStrategy.lineInputs
            return inputs.reduce(bytes) { $0 + size.recognizer(in: "").memory.bytes(for: $1) }
        }
    }

    /// Loads a detector's networks.
    ///
    /// - Returns: The networks of each shape, and those that pictures of different shapes share; `nil` if they do not.
    func detector(
        _ size: ModelSize
    ) throws(OpenVINOError) -> (eachShape: ModelNetworks, openShape: ModelNetworks?) {
        let eachShape = try self.networks(size.detector(in: self.folder), strategy: .eachShape)
        guard !self.lowMemory else { return (eachShape, nil) }
        return (eachShape, try self.networks(size.detector(in: self.folder, isOpen: true), strategy: .openShape))
    }

    /// Loads a recognizer's networks and its alphabet.
    func recognizer(_ size: ModelSize) throws(OpenVINOError) -> (networks: ModelNetworks, alphabet: Alphabet) {
        let strategy = self.lowMemory ? .openWidthOneByOne : size.lineStrategy
        let networks = try self.networks(size.recognizer(in: self.folder), strategy: strategy)
        return (networks, try size.alphabet(in: self.folder))
    }

    private func networks(_ file: ModelFile, strategy: ShapeStrategy) throws(OpenVINOError) -> ModelNetworks {
        // A missing or damaged file is detected at the start and not by a frame, even if its networks are in the cache.
        _ = try file.contents()
        let compiler = ModelCompiler(file, strategy: strategy, runtime: self.runtime, cache: self.cache)
        return ModelNetworks(model: compiler, pool: self.pool)
    }
}
