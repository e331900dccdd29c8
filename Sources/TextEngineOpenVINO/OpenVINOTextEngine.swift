public import GlyphwireProtocol
public import TextEngine

/// The text engine on OpenVINO: the networks of some levels, from which each worker makes its own reader.
public final class OpenVINOTextEngine: ReadingEngine {
    private struct Level: Sendable {
        let detector: CompiledModelCache
        let recognizer: CompiledModelCache
        let alphabet: Alphabet
    }

    /// Detector networks kept compiled: frame sizes in use at one time.
    private static let detectorShapes = 4
    /// Those that one worker keeps hold of.
    private static let detectorShapesPerWorker = 2

    private let loaded: [RecognitionLevel: Level]

    /// Loads the models of `levels`.
    ///
    /// - Parameters:
    ///   - models: The folder that `make setup` fills.
    ///   - levels: The levels to offer.
    ///   - workers: How many readers will run at the same time, each on one thread.
    /// - Throws: ``OpenVINOError`` when the runtime does not start or a model file is missing or damaged.
    public init(models: String, levels: [RecognitionLevel], workers: Int) throws(OpenVINOError) {
        let runtime = try OpenVINORuntime()
        var loaded: [RecognitionLevel: Level] = [:]
        for level in levels {
            let files = level.modelFiles(in: models)
            let map = try runtime.answer(of: files.detector)
            guard map.count == 4, map[1] == 1 else { throw OpenVINOError(wrongFile: files.detector) }
            let classes = try runtime.answer(of: files.recognizer)
            let metadata = try ONNXMetadata(path: files.recognizer.path)
            guard let characters = metadata.values["character"], classes.count == 3 else {
                throw OpenVINOError(wrongFile: files.recognizer)
            }
            let alphabet = Alphabet(list: characters)
            guard classes[2] == alphabet.count else { throw OpenVINOError(wrongFile: files.recognizer) }
            loaded[level] = Level(
                detector: CompiledModelCache(
                    files.detector,
                    runtime: runtime,
                    workers: workers,
                    capacity: Self.detectorShapes
                ),
                recognizer: CompiledModelCache(
                    files.recognizer,
                    runtime: runtime,
                    workers: workers,
                    capacity: 1
                ),
                alphabet: alphabet
            )
        }
        self.loaded = loaded
    }

    /// The levels that are loaded, `fast` first.
    public var levels: [RecognitionLevel] { RecognitionLevel.allCases.filter { self.loaded[$0] != nil } }

    /// The codes of the languages that a level's models can read, in alphabetical order.
    public func languages(of level: RecognitionLevel) -> [String] {
        self.loaded[level]?.alphabet.languages ?? []
    }

    /// Makes the reader of one worker thread.
    public func makeReader() -> any TextReader {
        FrameReader(
            self.loaded.mapValues { level in
                LevelModels(
                    detector: OpenVINOModel(level.detector, capacity: Self.detectorShapesPerWorker),
                    recognizer: OpenVINOModel(level.recognizer, capacity: 1),
                    alphabet: level.alphabet
                )
            }
        )
    }
}

extension OpenVINOError {
    /// What `make setup` put there is something else.
    fileprivate init(wrongFile model: ModelFile) {
        self.init(description: "the model file \(model.path) holds another network; 'make setup' fetches it anew")
    }
}

extension RecognitionLevel {
    /// PP-OCRv6, whose detectors keep their accuracy in bfloat16; the tiny recogniser does not.
    fileprivate func modelFiles(in folder: String) -> (detector: ModelFile, recognizer: ModelFile) {
        switch self {
        case .fast:
            (
                ModelFile(path: "\(folder)/PP-OCRv6_det_tiny.onnx", precision: .bfloat16, compilation: .eachShape),
                ModelFile(
                    path: "\(folder)/PP-OCRv6_rec_tiny.onnx",
                    precision: .float32,
                    compilation: .everyWidth(height: LineRecognizer.height)
                )
            )
        case .accurate:
            (
                ModelFile(path: "\(folder)/PP-OCRv6_det_small.onnx", precision: .bfloat16, compilation: .eachShape),
                ModelFile(
                    path: "\(folder)/PP-OCRv6_rec_small.onnx",
                    precision: .bfloat16,
                    compilation: .everyWidth(height: LineRecognizer.height)
                )
            )
        }
    }
}
