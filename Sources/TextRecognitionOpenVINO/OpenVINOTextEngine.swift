internal import Dispatch
public import TextModel
internal import NIOConcurrencyHelpers
public import TextRecognition

/// The text engine on OpenVINO: the networks of some levels, from which each worker makes its own reader.
public final class OpenVINOTextEngine: ReadingEngine {
    private struct Recognizer: Sendable {
        let networks: ModelNetworks
        let alphabet: Alphabet
    }

    private let detectors: [RecognitionLevel: ModelNetworks]
    private let recognizers: [ModelSize: Recognizer]
    private let models: [RecognitionLevel: LevelModels]

    /// Loads the models of `levels`.
    ///
    /// - Parameters:
    ///   - models: The folder that `make setup` fills.
    ///   - levels: The levels to offer.
    ///   - memory: Bytes that networks may take beside the models themselves, which take 30 to 50 MB; 512 MiB by default, as in
    ///     a server of one worker. Those that were not
    ///     used for longest are given up for others. Where it does not suffice for all of what frames of 1280 x 720 pixels
    ///     run on, lines of all widths share one network, which takes longer; see ``ShapeStrategy``.
    ///   - cache: A folder where compiled networks are kept for the next start, which takes half of the time then; `nil` for
    ///     nowhere. It is made where there is none, and nothing fails where that cannot be.
    /// - Throws: ``OpenVINOError`` when the runtime does not start or a model file is missing or damaged.
    public init(
        models: String,
        levels: [RecognitionLevel],
        memory: Int = 512 << 20,
        cache: String? = nil
    ) throws(OpenVINOError) {
        let loader = ModelLoader(
            folder: models,
            runtime: try OpenVINORuntime(),
            pool: NetworkPool(capacity: memory),
            cache: cache.map { NetworkCache(folder: $0) },
            lowMemory: memory < ModelLoader.usualMemory(levels)
        )
        var detectors: [RecognitionLevel: ModelNetworks] = [:]
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
        let ready = recognizers.mapValues {
            RecognizerModel(model: OpenVINOModel($0.networks), alphabet: $0.alphabet)
        }
        var shared: [RecognitionLevel: LevelModels] = [:]
        for (level, detector) in detectors { shared[level] = Self.models(of: level, detector, ready) }
        self.models = shared
    }

    /// The levels that are loaded, `fast` first.
    public var levels: [RecognitionLevel] { RecognitionLevel.allCases.filter { self.detectors[$0] != nil } }

    /// The codes of the languages that a level's models can read, in alphabetical order.
    public func languages(of level: RecognitionLevel) -> [String] {
        let size = level.plan.recognizer
        guard self.detectors[level] != nil, let recognizer = self.recognizers[size] else { return [] }
        return recognizer.alphabet.languages.filter { !size.misreadLanguages.contains($0) }
    }

    /// Whether a level's models can read `character`.
    public func canRead(_ character: Character, at level: RecognitionLevel) -> Bool {
        self.detectors[level] != nil
            && self.recognizers[level.plan.recognizer]?.alphabet.contains(String(character)) == true
    }

    /// Makes ahead the networks that the first frames to be read would otherwise wait for.
    ///
    /// Not those for boxes alone, which few streams ask for: they are made when such a frame comes.
    ///
    /// - Parameters:
    ///   - width: Of the frames that are awaited, upright; networks for those of another size are made when they come.
    ///   - height: Of the frames.
    /// - Throws: ``OpenVINOError`` when one cannot be made.
    public func prepare(width: Int, height: Int) throws(OpenVINOError) {
        var inputs: [(networks: ModelNetworks, inputs: [NetworkInput])] = []
        for (level, networks) in self.detectors {
            let shapes = TextDetector.inputShapes(width: width, height: height, scale: level.plan.detectionScale)
            inputs.append((networks, shapes.map { networks.model.strategy.input(for: $0) }))
        }
        for networks in self.recognizers.values.map(\.networks) {
            inputs.append((networks, Array(networks.model.strategy.lineInputs)))
        }
        try Self.prepare(inputs)
    }

    /// Makes networks of several models at a time, on all processors.
    private static func prepare(
        _ models: [(networks: ModelNetworks, inputs: [NetworkInput])]
    ) throws(OpenVINOError) {
        let failure = NIOLockedValueBox<OpenVINOError?>(nil)
        DispatchQueue.concurrentPerform(iterations: models.count) { index in
            do throws(OpenVINOError) {
                for input in models[index].inputs { try models[index].networks.prepare(for: input) }
            } catch {
                failure.withLockedValue { $0 = error }
            }
        }
        if let error = failure.withLockedValue(\.self) { throw error }
    }

    /// Makes the reader of one worker thread, with which `executor` take part in the work on a frame.
    public func makeReader(executor: any ParallelExecutor) -> any TextReader {
        FrameReader(self.models, executor: executor)
    }

    /// What the readers of a level share; `nil` where it has no recogniser.
    private static func models(
        of level: RecognitionLevel,
        _ detector: ModelNetworks,
        _ recognizers: [ModelSize: RecognizerModel]
    ) -> LevelModels? {
        let plan = level.plan
        guard let recognizer = recognizers[plan.recognizer] else { return nil }
        return LevelModels(
            detector: OpenVINOModel(detector),
            detectionScale: plan.detectionScale,
            measuringScale: plan.measuringScale,
            recognizer: recognizer,
            second: plan.second.flatMap { second in recognizers[second.size].map { ($0, second.policy) } },
            calibration: plan.calibration
        )
    }
}
