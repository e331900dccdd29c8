internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// CORS middleware, which lets browsers pass responses to pages of allowed origins.
///
/// Errors have the headers as well, so that a page can see them. A preflight needs no token.
struct CrossOriginMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Time in seconds for which a browser may cache a preflight; Chromium's maximum.
    private static var maxAge: Int { 7200 }
    /// Refusal of a preflight of a page of another origin.
    private static var refusal: Refusal {
        Refusal(
            .authFailed,
            "Pages of this origin are not allowed: start the server with --http-cors and their origin",
            status: .forbidden,
            headers: [.vary: "Origin"]
        )
    }

    /// The allowed origins.
    let origins: AllowedOrigins
    /// The endpoints of the service.
    let endpoints: Endpoints

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
            guard isAllowed else { return self.endpoints.response(to: request, Self.refusal) }
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

    /// Whether pages of other origins may request `path` at all.
    ///
    /// With `*`, pages may have their own pictures read. The streams are only for listed origins: without a token, any
    /// page in a browser on this machine could watch them.
    private func isOpen(_ path: String) -> Bool {
        !self.origins.containsAll || self.endpoints.isOpen(path)
    }

    /// Response to a preflight, which allows all headers: only the token grants access.
    private func preflight(_ request: Request) -> Response {
        let methods = (self.endpoints.methods + [.options]).map(\.rawValue).joined(separator: ", ")
        var headers: HTTPFields = [.accessControlAllowMethods: methods, .accessControlMaxAge: "\(Self.maxAge)"]
        headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
        // Chromium sends this before a public page may request a private network.
        if let asked = HTTPField.Name("Access-Control-Request-Private-Network"), request.headers[asked] == "true",
            let answer = HTTPField.Name("Access-Control-Allow-Private-Network")
        {
            headers[answer] = "true"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Adds the allowed origin to `response`, which caches must not serve to others.
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
