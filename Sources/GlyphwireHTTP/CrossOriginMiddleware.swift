internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Answers CORS, so that browsers hand answers to the pages of allowed origins.
///
/// Errors say so as well, or a page could not see them. A preflight shows no token, and is answered without.
struct CrossOriginMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Seconds for which a browser may remember a preflight; Chromium keeps none longer.
    private static var maxAge: Int { 7200 }

    /// The origins of pages that may ask.
    let origins: AllowedOrigins

    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard self.isOpen(request.uri.path) else { return try await next(request, context) }
        let origin = request.headers[.origin]
        let isAllowed = origin.map(self.origins.contains) ?? false
        if origin != nil, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            guard isAllowed else {
                return .text(
                    "Pages of this origin may not ask here: start the server with --http-cors and their origin.\n",
                    status: .forbidden,
                    headers: [.vary: "Origin"]
                )
            }
            return self.allowed(self.preflight(request), origin: origin)
        }
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        return self.allowed(response, origin: isAllowed ? origin : nil)
    }

    /// Whether pages of other origins may ask for `path` at all.
    ///
    /// All origins together may have pictures of their own read. What this server's cameras see is for those alone that were
    /// named: without a token, any page that is open in a browser of this machine could watch.
    private func isOpen(_ path: String) -> Bool {
        !self.origins.containsAll || path.drop { $0 == "/" }.hasPrefix("v1")
    }

    /// What a page may ask for, with whatever headers it likes: none of them grants anything but the token.
    private func preflight(_ request: Request) -> Response {
        var headers: HTTPFields = [
            .accessControlAllowMethods: "GET, POST, OPTIONS", .accessControlMaxAge: "\(Self.maxAge)",
        ]
        headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        // Chromium asks this before a page of the internet may turn to a private network.
        if let asked = HTTPField.Name("Access-Control-Request-Private-Network"), request.headers[asked] == "true",
            let answer = HTTPField.Name("Access-Control-Allow-Private-Network")
        {
            headers[answer] = "true"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Adds who may see `response`, which caches must not hand to others.
    private func allowed(_ response: Response, origin: String?) -> Response {
        var response = response
        if self.origins.containsAll {
            response.headers[.accessControlAllowOrigin] = "*"
        } else {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
        }
        return response
    }
}
