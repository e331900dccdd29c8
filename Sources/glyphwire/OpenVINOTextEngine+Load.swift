internal import Logging
internal import TextModel
internal import TextRecognitionOpenVINO
internal import TextRecognitionTesseract

extension OpenVINOTextEngine {
    /// Loads the models of levels, and the further languages that are installed.
    ///
    /// - Parameters:
    ///   - levels: The levels to offer.
    ///   - models: The value of `--models`, if it was given.
    ///   - cache: The value of `--network-cache`, if it was given.
    ///   - memory: The most bytes for networks.
    ///   - logger: The log of a command that starts again and again; `nil` for none.
    /// - Returns: The engine.
    /// - Throws: ``Failure`` or `OpenVINOError` if the models are missing or damaged.
    static func load(
        _ levels: [RecognitionLevel],
        models: String?,
        cache: String?,
        memory: Int,
        logger: Logger? = nil
    ) throws -> OpenVINOTextEngine {
        let folder = try NetworkCacheFolder.path(flag: cache)
        return try OpenVINOTextEngine(
            models: try ModelFolder.path(flag: models),
            levels: levels,
            memory: memory,
            cache: folder,
            onCacheFailure: { reason in
                logger?.warning(
                    "networks cannot be cached, each start compiles them",
                    metadata: ["folder": "\(folder ?? "")", "error": "\(reason)"]
                )
            },
            scriptReader: TesseractReader()
        )
    }
}
