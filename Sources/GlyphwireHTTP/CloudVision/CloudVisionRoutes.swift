internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix
internal import TextFormats

/// Routes compatible with Google Cloud Vision: `POST /v1/images:annotate` for text.
struct CloudVisionRoutes {
    /// Google's versions of the interface, which have the same text features.
    private static let versions = ["v1", "v1p1beta1", "v1p2beta1", "v1p3beta1", "v1p4beta1"]
    /// Path prefixes for clients with a project.
    private static let parents = ["", "projects/:project/", "projects/:project/locations/:location/"]
    /// Name of the method, whose colon some clients escape.
    private static let methods = ["images:annotate", "images%3Aannotate", "images%3aannotate"]
    /// All paths, in the notation of the router.
    private static let patterns: [String] = Self.versions.flatMap { version in
        Self.parents.flatMap { parent in Self.methods.map { "/\(version)/\(parent)\($0)" } }
    }
    private static let endpoint = Endpoint(
        .post,
        "/v1/images:annotate",
        summary: "reads pictures, as Google Cloud Vision does",
        content: "a picture",
        isOpen: true,
        errors: ErrorForm(covers: Self.isMethod) { refusal in
            GoogleError(refusal.sentence, status: refusal.status, headers: refusal.headers).response
        },
        isSpelling: Self.isAnnotate
    )

    private let server: GlyphwireServer
    private let connections: HTTPConnections
    private let bodies: RequestBodyReader
    private let annotator: ImageAnnotator

    /// Creates routes for the pictures in requests to `server`.
    init(server: GlyphwireServer, connections: HTTPConnections, bodies: RequestBodyReader, pictures: PictureReader) {
        self.server = server
        self.connections = connections
        self.bodies = bodies
        self.annotator = ImageAnnotator(pictures: pictures, reader: server.makeLocalReader())
    }

    /// The route, at all of its paths.
    var route: Route {
        Route(Self.endpoint, patterns: Self.patterns) { request, context in
            await self.connections.clientDisconnect(of: context.channel).withCancellation { await self.answer(request) }
        }
    }

    /// Whether `path` names `images:annotate`, also with a parent that no route has.
    private static func isAnnotate(_ path: String) -> Bool {
        path.hasPrefix("/v1") && path.lowercased().replacing("%3a", with: ":").hasSuffix("/images:annotate")
    }

    /// Whether `path` is that of one of Google's methods, such as `/v1/images:annotate` or `/v1/files:annotate`.
    private static func isMethod(_ path: String) -> Bool {
        let parts = path.lowercased().split(separator: "/")
        guard parts.count > 1, let method = parts.last else { return false }
        return parts[0].hasPrefix("v") && (method.contains(":") || method.contains("%3a"))
    }

    private func answer(_ request: Request) async -> Response {
        let reader = self.server.makeLocalReader()
        let memory = HeldMemory(reader)
        defer {
            memory.removeAll()
            reader.rest()
        }
        do {
            let parameters = try SystemParameters(request)
            let (images, received) = try await self.images(of: request, holding: memory)
            let answers = await self.annotator.annotate(images, received: received, with: reader)
            return Self.response(parameters.apply(to: Self.json(answers)))
        } catch let failure as SystemParameters.Failure {
            return GoogleError(failure.message).response
        } catch let error as JSONError {
            return GoogleError("Invalid JSON payload received: \(error.description).").response
        } catch let error as AnnotateRequest.LongList {
            return GoogleError(error.message).response
        } catch let error as BodyError {
            return GoogleError(error, maxByteCount: self.bodies.maxByteCount).response
        } catch {
            return GoogleError(.endedEarly, maxByteCount: self.bodies.maxByteCount).response
        }
    }

    /// The pictures of a request and the time of its last byte; of its body, nothing else is kept.
    private func images(
        of request: Request,
        holding memory: HeldMemory
    ) async throws -> ([AnnotateRequest.Image], received: ContinuousClock.Instant) {
        let body = try await self.bodies.body(of: request, holding: memory)
        let images = try await NIOThreadPool.runLongWork { try AnnotateRequest(body.bytes, holding: memory).images }
        memory.remove(body.bytes.count)
        return (images, body.received)
    }

    private static func json(_ answers: [ImageAnnotator.Answer]) -> ByteBuffer {
        var body = ByteBuffer()
        body.writeJSON { json in
            json.object { json in
                json.array("responses") { json in
                    for answer in answers {
                        if let annotation = answer.annotation {
                            annotation.write(into: &json, error: answer.error)
                        } else if let error = answer.error {
                            ImageAnnotation.write(error, into: &json)
                        }
                    }
                }
            }
        }
        return body
    }

    /// Creates a response of a line of JSON.
    static func response(
        _ json: ByteBuffer,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> Response {
        var body = json
        body.writeString("\n")
        return .bytes(body, status: status, contentType: "application/json; charset=utf-8", headers: headers)
    }
}
