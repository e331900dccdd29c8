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
    private let server: GlyphwireServer
    private let annotator: ImageAnnotator

    /// Routes to pictures that are read by `server`.
    init(server: GlyphwireServer, maxBodyBytes: Int) {
        self.maxBodyBytes = maxBodyBytes
        self.server = server
        self.annotator = ImageAnnotator(workers: server.monitor.metrics.workers)
    }

    func add(to router: some RouterMethods<BasicRequestContext>) {
        // Clients that were told a project name it in front.
        for parent in ["", "projects/:project/", "projects/:project/locations/:location/"] {
            router.post("v1/\(parent)images:annotate") { request, _ in await self.answer(request) }
        }
    }

    /// Why a body is not taken.
    private enum BodyError: Error {
        case tooLarge
        case noMemory
    }

    private func answer(_ request: Request) async -> Response {
        let reader = self.server.makeLocalReader()
        var heldByteCount = 0
        defer {
            reader.release(heldByteCount)
            reader.rest()
        }
        let images: [AnnotateRequest.Image]
        do {
            let body = try await self.body(of: request, reader, &heldByteCount)
            images = try AnnotateRequest(body).images
        } catch BodyError.tooLarge {
            return Self.refusal("Request payload size exceeds the limit: \(self.maxBodyBytes) bytes.")
        } catch BodyError.noMemory {
            return Self.refusal("The server has no memory left for the request.", .serviceUnavailable, "UNAVAILABLE")
        } catch let error as JSONError {
            return Self.refusal("Invalid JSON payload received: \(error.description).")
        } catch {
            return Self.refusal("The request ended early.")
        }
        let answers = await self.annotator.annotate(images, with: reader)
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

    /// Collects a body; what of it has come counts as memory that clients hold.
    private func body(
        of request: Request,
        _ reader: LocalReader,
        _ heldByteCount: inout Int
    ) async throws -> ByteBuffer {
        guard request.head.contentLength ?? 0 <= self.maxBodyBytes else { throw BodyError.tooLarge }
        var body = ByteBuffer()
        for try await var part in request.body {
            heldByteCount += part.readableBytes
            guard reader.hold(part.readableBytes) else { throw BodyError.noMemory }
            guard heldByteCount <= self.maxBodyBytes else { throw BodyError.tooLarge }
            body.writeBuffer(&part)
        }
        return body
    }

    private static func response(_ json: JSONBuilder, status: HTTPResponse.Status = .ok) -> Response {
        var body = json.buffer
        body.writeString("\n")
        return .bytes(body, status: status, contentType: "application/json; charset=utf-8")
    }

    /// The answer to a request that is refused as a whole.
    private static func refusal(
        _ message: String,
        _ status: HTTPResponse.Status = .badRequest,
        _ name: String = "INVALID_ARGUMENT"
    ) -> Response {
        var json = JSONBuilder()
        json.object { json in
            json.object("error") { json in
                json.integer("code", status.code)
                json.string("message", message)
                json.string("status", name)
            }
        }
        return self.response(json, status: status)
    }
}
