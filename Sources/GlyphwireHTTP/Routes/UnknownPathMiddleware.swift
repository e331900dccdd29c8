internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

/// Unknown path middleware: answers requests that no route takes with what the service offers.
///
/// A path of the service that is requested by another method is `405`, and every other one `404`.
struct UnknownPathMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The endpoints of the service.
    let endpoints: Endpoints

    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The error of a route is its own.
        guard context.endpointPath == nil else { return try await next(request, context) }
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return self.refusal(of: request, at: self.endpoints.endpoint(at: request.uri.path))
        }
    }

    /// The response to a request that `endpoint` does not take; `nil` for a path that is none's.
    private func refusal(of request: Request, at endpoint: Endpoint?) -> Response {
        let reason = endpoint.map { "\(request.method.rawValue) is not offered here; \($0.request)" }
        var headers = HTTPFields()
        headers[.allow] = endpoint?.allowedMethods
        let refusal = Refusal(
            .badRequest,
            reason ?? "There is nothing at this path",
            status: endpoint == nil ? .notFound : .methodNotAllowed,
            headers: headers,
            advice: "\n" + self.endpoints.list
        )
        return self.endpoints.response(to: request, refusal)
    }
}
