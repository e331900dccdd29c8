public import GlyphwireProtocol
public import TextEngine

/// The text engine on OpenVINO: the networks of some levels, from which each worker makes its own reader.
public final class OpenVINOTextEngine: ReadingEngine {
    private struct Recognizer: Sendable {
        let networks: CompiledModelCache
        let alphabet: Alphabet
    }

    private struct Detector: Sendable {
        /// For whole frames.
        let networks: CompiledModelCache
        /// For parts of frames.
        let partNetworks: CompiledModelCache
    }

    private let detectors: [RecognitionLevel: Detector]
    private let recognizers: [ModelSize: Recognizer]

    /// Loads the models of `levels`.
    ///
    /// - Parameters:
    ///   - models: The folder that `make setup` fills.
    ///   - levels: The levels to offer.
    ///   - workers: How many readers will run at the same time, each on one thread.
    /// - Throws: ``OpenVINOError`` when the runtime does not start or a model file is missing or damaged.
    public init(models: String, levels: [RecognitionLevel], workers: Int) throws(OpenVINOError) {
        let runtime = try OpenVINORuntime()
        var detectors: [RecognitionLevel: Detector] = [:]
        var recognizers: [ModelSize: Recognizer] = [:]
        for level in levels {
            let plan = level.plan
            let networks = try Self.detector(plan.detector.detector(in: models), runtime, workers)
            detectors[level] = Detector(networks: networks, partNetworks: networks.recompiled(.open))
            for size in [plan.recognizer, plan.second].compactMap(\.self) where recognizers[size] == nil {
                recognizers[size] = try Self.recognizer(size.recognizer(in: models), runtime, workers)
            }
        }
        self.detectors = detectors
        self.recognizers = recognizers
    }

    private static func detector(
        _ file: ModelFile,
        _ runtime: OpenVINORuntime,
        _ workers: Int
    ) throws(OpenVINOError) -> CompiledModelCache {
        let networks = try CompiledModelCache(file, runtime: runtime, workers: workers)
        let map = try networks.answer()
        guard map.count == 4, map[1] == 1 else { throw OpenVINOError(wrongFile: file) }
        return networks
    }

    private static func recognizer(
        _ file: ModelFile,
        _ runtime: OpenVINORuntime,
        _ workers: Int
    ) throws(OpenVINOError) -> Recognizer {
        let networks = try CompiledModelCache(file, runtime: runtime, workers: workers)
        let classes = try networks.answer()
        guard let characters = try networks.metadata().values["character"], classes.count == 3 else {
            throw OpenVINOError(wrongFile: file)
        }
        let alphabet = Alphabet(list: characters)
        guard classes[2] == alphabet.count else { throw OpenVINOError(wrongFile: file) }
        return Recognizer(networks: networks, alphabet: alphabet)
    }

    /// The levels that are loaded, `fast` first.
    public var levels: [RecognitionLevel] { RecognitionLevel.allCases.filter { self.detectors[$0] != nil } }

    /// The codes of the languages that a level's models can read, in alphabetical order.
    public func languages(of level: RecognitionLevel) -> [String] {
        self.detectors[level] == nil ? [] : self.recognizers[level.plan.recognizer]?.alphabet.languages ?? []
    }

    /// Whether a level's models can read `character`.
    public func canRead(_ character: Character, at level: RecognitionLevel) -> Bool {
        self.detectors[level] != nil
            && self.recognizers[level.plan.recognizer]?.alphabet.contains(String(character)) == true
    }

    /// Compiles ahead what the first frames would otherwise wait for.
    ///
    /// - Parameters:
    ///   - width: Of the frames that are awaited, upright; those of another size are compiled for when they come.
    ///   - height: Of the frames.
    /// - Throws: ``OpenVINOError`` when a model file cannot be read or compiled.
    public func prepare(width: Int, height: Int) throws(OpenVINOError) {
        for (level, detector) in self.detectors {
            let shape = TextDetector.inputShape(width: width, height: height, scale: level.plan.detectionScale)
            for networks in [detector.networks, detector.partNetworks] {
                _ = try networks.model(for: networks.key(for: shape))
            }
        }
        for (size, recognizer) in self.recognizers {
            // A width beyond the fixed ones stands for all of them.
            for width in size.fixedWidths + [LineRecognizer.mostFixedWidth + 1] {
                let shape = InputShape(height: LineRecognizer.height, width: width)
                for count in [1, LineRecognizer.mostLines] {
                    _ = try recognizer.networks.model(for: recognizer.networks.key(for: shape, count: count))
                }
            }
        }
    }

    /// Makes the reader of one worker thread.
    public func makeReader() -> any TextReader {
        // A worker's levels take turns, so they can share what reads.
        let recognizers = self.recognizers.mapValues {
            RecognizerModel(model: OpenVINOModel($0.networks), alphabet: $0.alphabet)
        }
        var levels: [RecognitionLevel: LevelModels] = [:]
        for (level, detector) in self.detectors {
            let plan = level.plan
            guard let recognizer = recognizers[plan.recognizer] else { continue }
            levels[level] = LevelModels(
                detector: OpenVINOModel(detector.networks),
                partDetector: OpenVINOModel(detector.partNetworks),
                detectionScale: plan.detectionScale,
                recognizer: recognizer,
                second: plan.second.flatMap { recognizers[$0] },
                doubt: plan.doubt,
                calibration: plan.calibration
            )
        }
        return FrameReader(levels)
    }
}

extension OpenVINOError {
    /// A file was cut off or overwritten.
    init(damaged model: ModelFile) {
        self.init(description: "the model file \(model.path) is damaged; 'make setup' fetches it anew")
    }

    /// A file is not the one that was meant.
    init(wrongHash model: ModelFile) {
        self.init(
            description:
                "the model file \(model.path) is damaged, cut off or of another version (its SHA-256 is not the one in "
                + "models/manifest); 'make setup' fetches it anew"
        )
    }

    /// What `make setup` put there is something else.
    init(wrongFile model: ModelFile) {
        self.init(description: "the model file \(model.path) holds another network; 'make setup' fetches it anew")
    }
}
