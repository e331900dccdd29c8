internal import FrameCodecs
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOCore
internal import NIOPosix
internal import TextFormats

/// Has the pictures of `images:annotate` requests read by a server's workers.
struct ImageAnnotator: Sendable {
    typealias Answer = Result<ImageAnnotation, ImageAnnotation.Status>

    private let workers: Int
    /// Pictures of all requests that are unpacked at a time: twice as many as are read, so that workers need not wait for them.
    private let turnstile: Turnstile

    init(workers: Int) {
        self.workers = workers
        self.turnstile = Turnstile(capacity: 2 * self.workers)
    }

    /// Reads pictures, several at a time; those of one request take turns with other requests and with streams.
    ///
    /// - Parameters:
    ///   - images: What is asked for.
    ///   - reader: Who reads them.
    /// - Returns: An answer for each, in order.
    func annotate(_ images: [AnnotateRequest.Image], with reader: LocalReader) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { tasks in
            var answers = [Answer?](repeating: nil, count: images.count)
            for (index, image) in images.enumerated() {
                // A long request does not fill the turnstile.
                if index >= self.workers, let (index, answer) = await tasks.next() { answers[index] = answer }
                tasks.addTask { (index, await self.annotate(image, with: reader)) }
            }
            for await (index, answer) in tasks { answers[index] = answer }
            return answers.compactMap(\.self)
        }
    }

    private func annotate(_ image: AnnotateRequest.Image, with reader: LocalReader) async -> Answer {
        do throws(ImageAnnotation.Status) {
            let level = try image.level()
            guard !image.content.isEmpty else { throw image.missingContent }
            return await self.turnstile.pass { await self.read(image, at: level, with: reader) }
        } catch {
            return .failure(error)
        }
    }

    private func read(
        _ image: AnnotateRequest.Image,
        at level: RecognitionLevel,
        with reader: LocalReader
    ) async -> Answer {
        let frame: FrameDescription
        let payload: ByteBuffer
        do {
            // PNG is unpacked here, which may take long: on a thread that may be kept.
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
        guard reader.hold(heldByteCount) else { return .failure(.exhausted("the server has no memory left for it")) }
        let result = await reader.read(
            frame,
            payload: payload,
            configuration: StreamConfiguration(
                reading: ReadingOptions(level: level, languages: image.languageHints)
            )
        )
        switch result.outcome {
        case .ok(let text): return .success(ImageAnnotation(text, languages: image.languageHints))
        case .error(let error): return .failure(ImageAnnotation.Status(error))
        case .dropped, .expired, .other: return .failure(.internalError("the picture was not read"))
        }
    }
}

extension AnnotateRequest.Image {
    /// Which models are to read the picture.
    ///
    /// - Throws: A status for features that are not offered, none at all among them.
    fileprivate func level() throws(ImageAnnotation.Status) -> RecognitionLevel {
        var level: RecognitionLevel?
        for feature in self.features {
            guard ["", "builtin/stable", "builtin/latest"].contains(feature.model) else {
                throw .unsupported("the model \(feature.model) is not offered here; leave it out")
            }
            switch feature.type {
            case "TEXT_DETECTION": level = level ?? .fast
            case "DOCUMENT_TEXT_DETECTION": level = .accurate
            default:
                throw .unsupported(
                    "\(feature.type) is not offered here; ask for TEXT_DETECTION or DOCUMENT_TEXT_DETECTION"
                )
            }
        }
        guard let level else {
            throw .invalid("no feature is asked for; add TEXT_DETECTION or DOCUMENT_TEXT_DETECTION to features")
        }
        return level
    }

    fileprivate var missingContent: ImageAnnotation.Status {
        self.hasSource
            ? .unsupported("pictures are not fetched from image.source; send the file in base64 as image.content")
            : .invalid("there is no picture; send the file in base64 as image.content")
    }
}

extension ImageAnnotation.Status {
    /// `INVALID_ARGUMENT`: the request is wrong.
    fileprivate static func invalid(_ message: String) -> Self { Self(code: 3, message: message) }

    /// `UNIMPLEMENTED`: Google offers it, and this server does not.
    fileprivate static func unsupported(_ message: String) -> Self { Self(code: 12, message: message) }

    /// `RESOURCE_EXHAUSTED`: there is too much to do.
    fileprivate static func exhausted(_ message: String) -> Self { Self(code: 8, message: message) }

    /// `INTERNAL`: the server is at fault.
    fileprivate static func internalError(_ message: String) -> Self { Self(code: 13, message: message) }

    /// What an error of a frame is to Google.
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
