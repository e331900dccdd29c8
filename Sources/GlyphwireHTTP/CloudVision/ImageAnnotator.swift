internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer
internal import TextFormats

/// Annotator that has a server's workers read the pictures of `images:annotate` requests.
struct ImageAnnotator: Sendable {
    /// Annotation of a picture: its text, an error, or both if only some features are supported.
    struct Answer: Sendable {
        /// Text of the picture.
        var annotation: ImageAnnotation?
        /// Error of the picture.
        var error: ImageAnnotation.Status?
    }

    private let hints: LanguageHints
    private let pictures: PictureReader

    /// Creates an annotator for requests to the server of `reader`.
    init(pictures: PictureReader, reader: LocalReader) {
        self.pictures = pictures
        self.hints = LanguageHints(reader)
    }

    /// Reads several pictures at a time, scheduled fairly with other requests and with streams.
    ///
    /// - Parameters:
    ///   - images: The pictures to read.
    ///   - received: The time of the last byte of the request.
    ///   - reader: The reader of the request.
    /// - Returns: An annotation for each, in order.
    func annotate(
        _ images: [AnnotateRequest.Image],
        received: ContinuousClock.Instant,
        with reader: LocalReader
    ) async -> [Answer] {
        await self.pictures.map(images) { await self.annotate($0, received: received, with: reader) }
    }

    private func annotate(
        _ image: AnnotateRequest.Image,
        received: ContinuousClock.Instant,
        with reader: LocalReader
    ) async -> Answer {
        let demand = FeatureDemand(image.features)
        guard let wanted = demand.level else { return Answer(error: demand.refusal) }
        guard !image.content.isEmpty else { return Answer(error: image.missingContent) }
        let result = await self.pictures.read(
            { PictureReader.File(bytes: image.content, name: "image.content", received: received) },
            // No languages are set, since the engine would omit the letters of others.
            configuration: StreamConfiguration(
                reading: ReadingOptions(
                    level: self.hints.level(wanted, for: image.languageHints),
                    languageHints: image.languageHints
                )
            ),
            with: reader
        )
        switch result.outcome {
        case .ok(let text):
            let languages = self.hints.known(image.languageHints)
            return Answer(annotation: ImageAnnotation(text, languages: languages), error: demand.refusal)
        case .error(let error): return Answer(error: ImageAnnotation.Status(error))
        case .dropped, .expired, .other: return Answer(error: .internalError("the picture was not read"))
        }
    }
}

extension AnnotateRequest.Image {
    fileprivate var missingContent: ImageAnnotation.Status {
        self.hasSource
            ? .unsupported("pictures are not fetched from image.source; send the file in base64 as image.content")
            : .invalid("there is no picture; send the file in base64 as image.content")
    }
}

extension ImageAnnotation.Status {
    /// `INVALID_ARGUMENT`: the request is invalid.
    static func invalid(_ message: String) -> Self { Self(code: 3, message: message) }

    /// `UNIMPLEMENTED`: a feature that only Google has.
    static func unsupported(_ message: String) -> Self { Self(code: 12, message: message) }

    /// `RESOURCE_EXHAUSTED`: the server is overloaded.
    fileprivate static func exhausted(_ message: String) -> Self { Self(code: 8, message: message) }

    /// `INTERNAL`: an error of the server.
    fileprivate static func internalError(_ message: String) -> Self { Self(code: 13, message: message) }

    /// `UNAVAILABLE`: the server is stopping.
    fileprivate static func unavailable(_ message: String) -> Self { Self(code: 14, message: message) }

    /// Creates the status of a frame's error.
    fileprivate init(_ error: WireError) {
        self =
            switch error.code {
            case .levelUnavailable: .unsupported(error.message)
            case .unsupportedLanguage, .badOption: .invalid(error.message)
            case .overloaded: .exhausted(error.message)
            case .internalError where error == .serverStops: .unavailable(error.message)
            case .internalError: .internalError(error.message)
            // The message names an option, and these requests have none.
            case .jpegCorrupt: .badImage("image.content is a damaged or cut off JPEG; send the whole, undamaged file")
            default: .badImage(error.message)
            }
    }
}
