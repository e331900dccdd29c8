internal import TextModel
internal import TextRecognitionOpenVINO
internal import TextRecognitionTesseract

extension OpenVINOTextEngine {
    /// Loads the models of levels, and the languages of other scripts that are installed.
    ///
    /// - Parameters:
    ///   - levels: The levels to offer.
    ///   - models: The value of `--models`, if it was given.
    ///   - cache: The value of `--network-cache`, if it was given.
    ///   - memory: The most bytes for networks.
    /// - Returns: The engine.
    /// - Throws: ``Failure`` or `OpenVINOError` if the models are missing or damaged.
    static func load(_ levels: [RecognitionLevel], models: String?, cache: String?, memory: Int) throws
        -> OpenVINOTextEngine
    {
        try OpenVINOTextEngine(
            models: try ModelFolder.path(flag: models),
            levels: levels,
            memory: memory,
            cache: try NetworkCacheFolder.path(flag: cache),
            scriptReader: TesseractReader()
        )
    }
}
