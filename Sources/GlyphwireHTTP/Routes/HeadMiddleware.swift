internal import HTTPTypes
internal import Hummingbird

/// Middleware that takes the body from every response to `HEAD`, which the client would take for the next response.
struct HeadMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
