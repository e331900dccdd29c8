import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TestSupport
import Testing

@testable import GlyphwireHTTP

struct UnknownPathTests {
    /// Context of a request without a connection.
    private struct Context: RequestContext {
        struct Source: RequestContextSource {
            let logger = Logger.silent
        }

        var coreContext: CoreRequestContextStorage

        init(source: Source) {
            self.coreContext = CoreRequestContextStorage(source: source)
        }
    }

    private static let endpoints = Endpoints([
        Endpoint(.get, "/jobs", summary: "a job"),
        Endpoint(.post, "/jobs/start", summary: "starts a job", content: "a picture"),
        Endpoint(.post, "/jobs/stop", summary: "stops a job"),
    ])

    /// The response of a service whose only route finds nothing.
    private static func response(to method: HTTPRequest.Method, _ path: String) async throws -> Response {
        let router = Router(context: Context.self)
        router.add(middleware: UnknownPathMiddleware(endpoints: Self.endpoints))
        router.on("/jobs", method: .get) { _, _ -> Response in throw HTTPError(.notFound, message: "no such job") }
        let head = HTTPRequest(method: method, scheme: nil, authority: nil, path: path)
        return try await router.buildResponder().respond(
            to: Request(head: head, body: .init(buffer: ByteBuffer())),
            context: Context(source: Context.Source())
        )
    }

    @Test func theErrorOfARouteIsItsOwn() async throws {
        let response = try await Self.response(to: .get, "/jobs")
        #expect(response.status == .notFound && response.headers[.allow] == nil)
    }

    @Test func anotherMethodIsNotAllowedAndAnotherPathIsNotFound() async throws {
        let method = try await Self.response(to: .post, "/jobs")
        #expect(method.status == .methodNotAllowed && method.headers[.allow] == "GET, HEAD")
        let path = try await Self.response(to: .get, "/nowhere")
        #expect(path.status == .notFound && path.headers[.allow] == nil)
    }

    @Test func anEndpointNamesTheBodyThatItTakes() {
        let requests = ["/jobs", "/jobs/start", "/jobs/stop"].map { Self.endpoints.endpoint(at: $0)?.request }
        #expect(requests == ["GET /jobs", "POST a picture to /jobs/start", "POST /jobs/stop"])
    }
}
