internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TextFormats

/// The door of Google Cloud Vision: `POST /v1/images:annotate` for text, as its clients ask for it.
struct CloudVisionRoutes {
    /// Bytes that the body of a request may have.
    let maxBodyBytes: Int
    private let annotator: ImageAnnotator

    /// Routes to pictures that are read by `server`.
    init(server: GlyphwireServer, maxBodyBytes: Int) {
        self.maxBodyBytes = maxBodyBytes
        self.annotator = ImageAnnotator(server: server)
    }

    func add(to router: some RouterMethods<BasicRequestContext>) {
        // Clients that were told a project name it in front.
        for parent in ["", "projects/:project/", "projects/:project/locations/:location/"] {
            router.post("v1/\(parent)images:annotate") { request, _ in await self.answer(request) }
        }
    }

    private func answer(_ request: Request) async -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: self.maxBodyBytes)
        } catch is NIOTooManyBytesError {
            return Self.refusal("Request payload size exceeds the limit: \(self.maxBodyBytes) bytes.")
        } catch {
            return Self.refusal("The request ended early.")
        }
        let images: [AnnotateRequest.Image]
        do throws(JSONError) {
            images = try AnnotateRequest(body).images
        } catch {
            return Self.refusal("Invalid JSON payload received: \(error.description).")
        }
        let answers = await self.annotator.annotate(images)
        var json = JSONBuilder()
        json.object { json in
            json.array("responses") { json in
                for answer in answers {
                    switch answer {
                    case .success(let annotation): annotation.write(into: &json)
                    case .failure(let status): ImageAnnotation.write(status, into: &json)
                    }
                }
            }
        }
        return Self.response(json)
    }

    private static func response(_ json: JSONBuilder, status: HTTPResponse.Status = .ok) -> Response {
        var body = json.buffer
        body.writeString("\n")
        return .bytes(body, status: status, contentType: "application/json; charset=utf-8")
    }

    /// The answer to a request that is wrong as a whole.
    private static func refusal(_ message: String) -> Response {
        var json = JSONBuilder()
        json.object { json in
            json.object("error") { json in
                json.integer("code", HTTPResponse.Status.badRequest.code)
                json.string("message", message)
                json.string("status", "INVALID_ARGUMENT")
            }
        }
        return self.response(json, status: .badRequest)
    }
}
