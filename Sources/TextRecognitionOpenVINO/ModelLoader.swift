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
    /// Whether lines of all widths share one network to save memory.
    let lowMemory: Bool
    /// Whether pictures of different shapes share a detector's network, which takes more memory than one of a single shape.
    let sharesDetectors: Bool

    /// Creates the loader of an engine.
    ///
    /// - Parameters:
    ///   - folder: The folder of the model files.
    ///   - runtime: The runtime.
    ///   - pool: The pool for the networks, whose capacity decides which of them are shared.
    ///   - cache: The cache of compiled networks; `nil` for none.
    ///   - levels: The levels that are loaded.
    init(
        folder: String,
        runtime: OpenVINORuntime,
        pool: NetworkPool,
        cache: NetworkCache?,
        levels: [RecognitionLevel]
    ) {
        self.folder = folder
        self.runtime = runtime
        self.pool = pool
        self.cache = cache
        let lines = Self.lineMemory(levels)
        self.lowMemory = pool.capacity < lines + Self.frameMemory(levels)
        self.sharesDetectors = !self.lowMemory && pool.capacity >= lines + Self.pictureMemory(levels)
    }

    /// Input shapes of frames of 1280 x 720 pixels, and of parts of frames.
    static func usualShapes(of plan: LevelPlan) -> [InputShape] {
        TextDetector.inputShapes(width: 1280, height: 720, scale: plan.detectionScale)
    }

    /// Memory of networks for lines if narrow widths have their own.
    private static func lineMemory(_ levels: [RecognitionLevel]) -> Int {
        Set(levels.flatMap(\.plan.recognizers)).reduce(0) { bytes, size in
            let inputs = size.lineStrategy.lineInputs
            return inputs.reduce(bytes) { $0 + size.recognizer(in: "").memory.bytes(for: $1) }
        }
    }

    /// Memory of detectors for frames of 1280 x 720 pixels.
    private static func frameMemory(_ levels: [RecognitionLevel]) -> Int {
        levels.map(\.plan).reduce(0) { bytes, plan in
            let memory = plan.detector.detector(in: "").memory
            return Self.usualShapes(of: plan).reduce(bytes) {
                $0 + memory.bytes(for: ShapeStrategy.eachShape.input(for: $1))
            }
        }
    }

    /// Memory of detectors that pictures of different shapes share.
    private static func pictureMemory(_ levels: [RecognitionLevel]) -> Int {
        levels.map(\.plan.detector).reduce(0) { bytes, size in
            let input = ShapeStrategy.dynamicShape.input(for: InputShape(height: 1, width: 1))
            return bytes + size.detector(in: "").memory.bytes(for: input)
        }
    }

    /// Loads a detector's networks.
    func detector(_ size: ModelSize) throws(OpenVINOError) -> DetectorNetworks {
        DetectorNetworks(
            eachShape: try self.networks(size.detector(in: self.folder), strategy: .eachShape),
            dynamicShape: self.sharesDetectors
                ? try self.networks(size.detector(in: self.folder, isDynamic: true), strategy: .dynamicShape) : nil
        )
    }

    /// Loads a recognizer's networks and its alphabet.
    func recognizer(_ size: ModelSize) throws(OpenVINOError) -> (networks: ModelNetworks, alphabet: Alphabet) {
        let strategy = self.lowMemory ? .dynamicWidthOneByOne : size.lineStrategy
        let networks = try self.networks(size.recognizer(in: self.folder), strategy: strategy)
        return (networks, try size.alphabet(in: self.folder))
    }

    /// Loads the words by which misread ones are corrected.
    func words() throws(OpenVINOError) -> WordFilter {
        let name = "words-latin.bloom"
        let contents = try ModelFile.contents(of: "\(self.folder)/\(name)", sha256: ModelHashes.all[name])
        return WordFilter([UInt8](contents))
    }

    private func networks(_ file: ModelFile, strategy: ShapeStrategy) throws(OpenVINOError) -> ModelNetworks {
        // A missing or damaged file is detected at the start and not by a frame, even if its networks are in the cache.
        _ = try file.contents()
        let compiler = ModelCompiler(file, strategy: strategy, runtime: self.runtime, cache: self.cache)
        return ModelNetworks(model: compiler, pool: self.pool)
    }
}
