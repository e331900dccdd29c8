internal import Dispatch
public import TextModel
internal import NIOConcurrencyHelpers
public import TextRecognition

/// Text engine on OpenVINO: the networks of some levels, from which each worker creates a reader.
public final class OpenVINOTextEngine: ReadingEngine {
    private struct Recognizer: Sendable {
        let networks: ModelNetworks
        let alphabet: Alphabet
    }

    private let detectors: [RecognitionLevel: DetectorNetworks]
    private let recognizers: [ModelSize: Recognizer]
    private let models: [RecognitionLevel: LevelModels]
    /// Alphabets of each level's recognizers.
    private let alphabets: [RecognitionLevel: [Alphabet]]
    /// Language codes of each level, in alphabetical order.
    private let languages: [RecognitionLevel: [String]]
    /// Codes of the languages that the reader beside the models supports, in alphabetical order.
    public let furtherLanguages: [String]

    /// Loads the models of `levels`.
    ///
    /// - Parameters:
    ///   - models: The folder that `make setup` fills.
    ///   - levels: The levels to offer.
    ///   - memory: Maximum number of bytes for networks, besides the models, which take 30 to 50 MB; 512 MiB by
    ///     default. Networks that were used once are evicted first, then the least recently used. If it is too little for
    ///     frames of 1280 x 720 pixels, lines of all widths share one network, which is slower, and pictures of different
    ///     shapes share none; see ``ShapeStrategy``.
    ///   - cache: A folder for the cache of compiled networks, which halves the time of the next start; `nil` for none.
    ///     It is created if needed.
    ///   - onCacheFailure: Called once with the reason why networks cannot be cached, on any thread; does nothing by default.
    ///   - scriptReader: The reader of scripts, and of letters with diacritics, that the models do not read; `nil` for none, the default.
    /// - Throws: ``OpenVINOError`` if the runtime does not start or a model file is missing or damaged.
    public init(
        models: String,
        levels: [RecognitionLevel],
        memory: Int = 512 << 20,
        cache: String? = nil,
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
        scriptReader: (any ScriptReader)? = nil
    ) throws(OpenVINOError) {
        let loader = ModelLoader(
            folder: models,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: memory),
            cache: cache.map { NetworkCache(folder: $0, onFailure: onCacheFailure) },
            levels: levels
        )
        var detectors: [RecognitionLevel: DetectorNetworks] = [:]
        var recognizers: [ModelSize: Recognizer] = [:]
        for level in levels {
            detectors[level] = try loader.detector(level.plan.detector)
            for size in level.plan.recognizers where recognizers[size] == nil {
                let (networks, alphabet) = try loader.recognizer(size)
                recognizers[size] = Recognizer(networks: networks, alphabet: alphabet)
            }
        }
        self.detectors = detectors
        self.recognizers = recognizers
        let furtherLanguages = scriptReader?.languages.sorted() ?? []
        var alphabets: [RecognitionLevel: [Alphabet]] = [:]
        var languages: [RecognitionLevel: [String]] = [:]
        for level in levels {
            alphabets[level] = level.plan.recognizers.compactMap { recognizers[$0]?.alphabet }
            languages[level] = Set(Self.languages(of: level.plan, recognizers)).union(furtherLanguages).sorted()
        }
        self.alphabets = alphabets
        self.languages = languages
        self.furtherLanguages = furtherLanguages
        let words = try loader.words()
        var ready: [ModelSize: RecognizerModel] = [:]
        for (size, recognizer) in recognizers {
            let model = OpenVINOModel<BFloat16>(recognizer.networks)
            ready[size] = RecognizerModel(
                model: model,
                alphabet: recognizer.alphabet,
                scripts: size.scriptPolicy,
                words: words
            )
        }
        var shared: [RecognitionLevel: LevelModels] = [:]
        for (level, detector) in detectors {
            shared[level] = Self.models(of: level, detector, ready, scriptReader: scriptReader)
        }
        self.models = shared
    }

    /// Loaded levels, `fast` first.
    public var levels: [RecognitionLevel] { RecognitionLevel.allCases.filter { self.detectors[$0] != nil } }

    /// Language codes that a level's models or the reader beside them support, in alphabetical order.
    public func languages(of level: RecognitionLevel) -> [String] { self.languages[level] ?? [] }

    /// Whether a level's models support `character`.
    public func canRead(_ character: Character, at level: RecognitionLevel) -> Bool {
        self.alphabets[level]?.contains { $0.contains(String(character)) } == true
    }

    /// Creates one network of each model, on all processors; after it, every model is known to work but those with a dynamic shape,
    /// which are created with the first single picture of another shape.
    ///
    /// - Parameters:
    ///   - width: The width of the expected frames, upright.
    ///   - height: The height of the expected frames, upright.
    /// - Throws: ``OpenVINOError`` if one cannot be created.
    public func prepareModels(width: Int, height: Int) throws(OpenVINOError) {
        let models = self.inputs(width: width, height: height)
        let failure = NIOLockedValueBox<OpenVINOError?>(nil)
        DispatchQueue.concurrentPerform(iterations: models.count) { index in
            guard let input = models[index].inputs.first else { return }
            do throws(OpenVINOError) {
                try models[index].networks.prepare(for: input)
            } catch {
                failure.withLockedValue { $0 = error }
            }
        }
        if let error = failure.withLockedValue(\.self) { throw error }
    }

    /// Creates in advance the networks that the first frames would otherwise wait for, one after the other.
    ///
    /// It may run beside readers. Networks for detect-only frames, which few streams request, are created with the first
    /// such frame.
    ///
    /// - Parameters:
    ///   - width: The width of the expected frames, upright; networks for other sizes are created with the first such
    ///     frame.
    ///   - height: The height of the expected frames, upright.
    /// - Throws: ``OpenVINOError`` if one cannot be created.
    public func prepare(width: Int, height: Int) throws(OpenVINOError) {
        let models = self.inputs(width: width, height: height)
        // The models take turns: a reader waits for no more than one network of its model.
        for index in 0..<(models.map(\.inputs.count).max() ?? 0) {
            for model in models where index < model.inputs.count {
                try model.networks.prepare(for: model.inputs[index])
            }
        }
    }

    /// Inputs of the networks that frames of a size need, of each model; for lines in the order of ``ShapeStrategy/lineInputs``.
    private func inputs(width: Int, height: Int) -> [(networks: ModelNetworks, inputs: [NetworkInput])] {
        let detectors = self.detectors.mapValues(\.eachShape).map { level, networks in
            let shapes = TextDetector.inputShapes(width: width, height: height, scale: level.plan.detectionScale)
            return (networks: networks, inputs: shapes.map { networks.model.strategy.input(for: $0) })
        }
        return detectors
            + self.recognizers.values.map(\.networks).map { ($0, $0.model.strategy.lineInputs) }
    }

    /// Creates the reader of one worker thread, with an `executor` for parallel work on a frame.
    public func makeReader(executor: any ParallelExecutor) -> any TextReader {
        FrameReader(self.models, executor: executor)
    }

    /// Languages that the recognizers of a plan read well.
    private static func languages(of plan: LevelPlan, _ recognizers: [ModelSize: Recognizer]) -> [String] {
        func known(to size: ModelSize) -> [String] {
            let languages = recognizers[size]?.alphabet.languages ?? []
            return languages.filter { !size.misreadLanguages.contains($0) }
        }
        let first = known(to: plan.recognizer)
        guard let second = plan.second?.recognizer else { return first }
        // Lines in scripts that only the second recognizer reads always go on to it.
        let scripts = second.scripts.subtracting(plan.recognizer.scripts)
        return first + known(to: second).filter { scripts.contains(Script(language: $0)) }
    }

    /// Models that the readers of a level share; `nil` if it has no recognizer.
    private static func models(
        of level: RecognitionLevel,
        _ networks: DetectorNetworks,
        _ recognizers: [ModelSize: RecognizerModel],
        scriptReader: (any ScriptReader)?
    ) -> LevelModels? {
        let plan = level.plan
        guard let recognizer = recognizers[plan.recognizer] else { return nil }
        let detector = OpenVINOModel<Float>(networks.eachShape)
        return LevelModels(
            detector: detector,
            pictureDetector: networks.dynamicShape.map {
                PictureDetector(
                    eachShape: detector,
                    dynamicShape: OpenVINOModel($0),
                    maxSharedPixels: plan.detector.maxSharedPixels,
                    usualShapes: ModelLoader.usualShapes(of: plan)
                )
            },
            detectionScale: plan.detectionScale,
            detectOnlyScale: plan.detectOnlyScale,
            recognizer: recognizer,
            second: plan.second.flatMap { second in
                recognizers[second.recognizer].map { CascadeStage($0, policy: second.policy) }
            },
            calibration: plan.calibration,
            scriptReader: scriptReader
        )
    }
}
