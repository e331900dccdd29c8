internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TextFormats

/// Routes compatible with Google Cloud Vision: `POST /v1/images:annotate` for text.
struct CloudVisionRoutes {
    /// Google's versions of the interface, which have the same text features.
    private static let versions = ["v1", "v1p1beta1", "v1p2beta1", "v1p3beta1", "v1p4beta1"]
    /// Path prefixes for clients with a project.
    private static let parents = ["", "projects/:project/", "projects/:project/locations/:location/"]
    /// Name of the method, whose colon some clients escape.
    private static let methods = ["images:annotate", "images%3Aannotate", "images%3aannotate"]

    private let server: GlyphwireServer
    private let bodies: RequestBodyReader
    private let annotator: ImageAnnotator

    /// Creates routes for the pictures in requests to `server`.
    init(server: GlyphwireServer, bodies: RequestBodyReader, pictures: PictureReader) {
        self.server = server
        self.bodies = bodies
        self.annotator = ImageAnnotator(pictures: pictures, reader: server.makeLocalReader())
    }

    func add(to router: some RouterMethods<HTTPRequestContext>) {
        for version in Self.versions {
            for parent in Self.parents {
                for method in Self.methods {
                    router.post("\(version)/\(parent)\(method)") { request, _ in await self.answer(request) }
                }
            }
        }
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
            let body = try await self.bodies.body(of: request, holding: memory)
            let images = try AnnotateRequest(body.bytes).images
            let answers = await self.annotator.annotate(images, received: body.received, with: reader)
            return Self.response(parameters.apply(to: Self.json(answers)))
        } catch let failure as SystemParameters.Failure {
            return Self.refusal(failure.message)
        } catch let error as JSONError {
            return Self.refusal("Invalid JSON payload received: \(error.description).")
        } catch let error as BodyError {
            return self.refusal(error)
        } catch {
            return Self.refusal("The request ended early.")
        }
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

    private static func response(
        _ json: ByteBuffer,
        status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> Response {
        var body = json
        body.writeString("\n")
        return .bytes(body, status: status, contentType: "application/json; charset=utf-8", headers: headers)
    }

    private func refusal(_ error: BodyError) -> Response {
        switch error {
        case .tooLarge:
            return Self.refusal("Request payload size exceeds the limit: \(self.bodies.maxByteCount) bytes.")
        case .noMemory:
            return Self.refusal(
                "The server has no memory left for the request.",
                status: .serviceUnavailable,
                name: "UNAVAILABLE"
            )
        case .unknownCoding(let name):
            return Self.refusal(
                "The body has the Content-Encoding \"\(name)\", which is not supported; use \(ContentCoding.offered) "
                    + "or none.",
                status: .unsupportedMediaType,
                headers: [.acceptEncoding: ContentCoding.offered]
            )
        case .damaged(let coding, let reason):
            return Self.refusal(
                "The body's Content-Encoding is \(coding.rawValue), but it cannot be decompressed: \(reason)."
            )
        case .unnamedGzip:
            return Self.refusal("The body is gzip without a header for it: send it with \"Content-Encoding: gzip\".")
        case .endedEarly:
            return Self.refusal("The request ended early.")
        case .late:
            return Self.refusal(
                "The request did not arrive in time.",
                status: .requestTimeout,
                name: "DEADLINE_EXCEEDED"
            )
        }
    }

    /// Creates the response to a request that is rejected as a whole.
    private static func refusal(
        _ message: String,
        status: HTTPResponse.Status = .badRequest,
        name: String = "INVALID_ARGUMENT",
        headers: HTTPFields = [:]
    ) -> Response {
        var body = ByteBuffer()
        body.writeJSON { json in
            json.object { json in
                json.object("error") { json in
                    json.integer("code", status.code)
                    json.string("message", message)
                    json.string("status", name)
                }
            }
        }
        return self.response(body, status: status, headers: headers)
    }
}
