internal import FramePipeline
internal import ImageCodecs
internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer
internal import NIOCore
internal import NIOPosix
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

    private let workers: Int
    private let hints: LanguageHints
    /// Semaphore of the pictures decoded at a time: two per worker, so that no worker is idle.
    private let semaphore: AsyncSemaphore

    /// Creates an annotator for requests to the server of `reader`.
    init(workers: Int, reader: LocalReader) {
        self.workers = workers
        self.hints = LanguageHints(reader)
        self.semaphore = AsyncSemaphore(capacity: 2 * self.workers)
    }

    /// Reads several pictures at a time, scheduled fairly with other requests and with streams.
    ///
    /// - Parameters:
    ///   - images: The pictures to read.
    ///   - reader: The reader of the request.
    /// - Returns: An annotation for each, in order.
    func annotate(_ images: [AnnotateRequest.Image], with reader: LocalReader) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { tasks in
            var answers = [Answer?](repeating: nil, count: images.count)
            for (index, image) in images.enumerated() {
                // A long request must not take all permits.
                if index >= self.workers, let (index, answer) = await tasks.next() { answers[index] = answer }
                tasks.addTask { (index, await self.annotate(image, with: reader)) }
            }
            for await (index, answer) in tasks { answers[index] = answer }
            return answers.compactMap(\.self)
        }
    }

    private func annotate(_ image: AnnotateRequest.Image, with reader: LocalReader) async -> Answer {
        let demand = FeatureDemand(image.features)
        guard let wanted = demand.level else { return Answer(error: demand.refusal) }
        guard !image.content.isEmpty else { return Answer(error: image.missingContent) }
        let level = self.hints.level(wanted, for: image.languageHints)
        do throws(ImageAnnotation.Status) {
            let result = await self.semaphore.withPermit { await self.read(image, at: level, with: reader) }
            return Answer(annotation: try result.get(), error: demand.refusal)
        } catch {
            return Answer(error: error)
        }
    }

    private func read(
        _ image: AnnotateRequest.Image,
        at level: RecognitionLevel,
        with reader: LocalReader
    ) async -> Result<ImageAnnotation, ImageAnnotation.Status> {
        let frame: FrameDescription
        let payload: ByteBuffer
        do {
            // Decoding a PNG may take long, so it runs on a thread that may block.
            (frame, payload) = try await NIOThreadPool.singleton.runIfActive {
                let file = try PictureFile(bytes: image.content, path: "image.content")
                let (frame, payload) = try file.frame(limits: reader.limits)
                return (frame, ByteBuffer(bytes: payload))
            }
        } catch {
            return .failure(.badImage("\(error)"))
        }
        let heldByteCount = payload.readableBytes
        defer { reader.release(heldByteCount) }
        guard reader.hold(heldByteCount) else {
            return .failure(.exhausted("the server has no memory left for the picture"))
        }
        let result = await reader.read(
            frame,
            payload: payload,
            // No languages are set, since the engine would omit the letters of others.
            configuration: StreamConfiguration(reading: ReadingOptions(level: level))
        )
        switch result.outcome {
        case .ok(let text): return .success(ImageAnnotation(text, languages: self.hints.known(image.languageHints)))
        case .error(let error): return .failure(ImageAnnotation.Status(error))
        case .dropped, .expired, .other: return .failure(.internalError("the picture was not read"))
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

    /// Creates the status of a frame's error.
    fileprivate init(_ error: WireError) {
        self =
            switch error.code {
            case .levelUnavailable: .unsupported(error.message)
            case .unsupportedLanguage, .badOption: .invalid(error.message)
            case .overloaded: .exhausted(error.message)
            case .internalError: .internalError(error.message)
            default: .badImage(error.message)
            }
    }
}
