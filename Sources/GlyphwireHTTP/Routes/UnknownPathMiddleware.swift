internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Unknown path middleware: answers requests that no route takes with what the service offers.
///
/// A path of the service that is requested by another method is `405`, and every other one `404`.
struct UnknownPathMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return Self.refusal(of: request, at: Endpoint.all.first { $0.matches(request.uri.path) })
        }
    }

    /// The response to a request that `endpoint` does not take; `nil` for a path that is none's.
    private static func refusal(of request: Request, at endpoint: Endpoint?) -> Response {
        let reason = endpoint.map { "\(request.method.rawValue) is not offered here; \($0.request)" }
        var headers = HTTPFields()
        headers[.allow] = endpoint?.allowedMethods
        return .refusal(
            of: request,
            .badRequest,
            reason ?? "There is nothing at this path",
            status: endpoint == nil ? .notFound : .methodNotAllowed,
            headers: headers,
            advice: "\n" + Endpoint.list
        )
    }
}

/// Endpoint of the HTTP service, as responses to mistaken requests list it.
struct Endpoint: Sendable {
    /// The method that it takes.
    let method: HTTPRequest.Method
    /// The path.
    let path: String
    private let summary: String

    private init(_ method: HTTPRequest.Method, _ path: String, summary: String) {
        self.method = method
        self.path = path
        self.summary = summary
    }

    /// The endpoints that are listed.
    static let all = [
        Endpoint(.get, "/", summary: "the live page"),
        Endpoint(.get, "/camera", summary: "the page that makes the camera of a phone or laptop a stream"),
        Endpoint(.get, "/events", summary: "the frames and streams of the live page, as server-sent events"),
        Endpoint(.get, "/healthz", summary: "whether the process answers"),
        Endpoint(.get, "/readyz", summary: "whether streams should be sent to this server"),
        Endpoint(.get, "/metrics", summary: "metrics for Prometheus"),
        Endpoint(.get, "/streams", summary: "the connections, as JSON"),
        Endpoint(.post, "/v1/read", summary: "reads pictures, as the body or a form"),
        Endpoint(.post, "/v1/images:annotate", summary: "reads pictures, as Google Cloud Vision does"),
    ]

    private static let annotate = "/images:annotate"

    /// The list for people.
    static let list =
        "This server answers:\n"
        + Self.all.map { endpoint in
            let request = "\(endpoint.method.rawValue) \(endpoint.path)"
            let gap = String(repeating: " ", count: max(28 - request.count, 1))
            return "  \(request)\(gap)\(endpoint.summary)\n"
        }.joined() + "Frames are sent to another port, over plain TCP.\n"

    /// What to send to it.
    var request: String {
        self.method == .post ? "POST a picture to \(self.path)" : "\(self.method.rawValue) \(self.path)"
    }

    /// The value of `Allow`.
    var allowedMethods: String { self.method == .get ? "GET, HEAD" : self.method.rawValue }

    /// Whether `path` is the endpoint's, in one of the ways of writing it.
    func matches(_ path: String) -> Bool {
        if path == self.path || path == self.path + "/" { return true }
        // Google's paths may name a version and a project, and escape the colon.
        return self.path.hasSuffix(Self.annotate) && path.hasPrefix("/v1")
            && path.lowercased().replacing("%3a", with: ":").hasSuffix(Self.annotate)
    }
}
