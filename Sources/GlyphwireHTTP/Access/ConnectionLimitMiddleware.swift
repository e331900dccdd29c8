internal import CoreMetrics
internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

/// Connection limit middleware: answers requests on connections beyond the limit with `503`.
struct ConnectionLimitMiddleware: RouterMiddleware {
    /// Time after which a client should try again, in seconds; connections without a request close after a minute.
    private static let retryTime = 10

    let endpoints: Endpoints
    let connections: HTTPConnections
    /// Counter of the refused requests.
    let refusals: Counter

    @concurrent
    func handle(
        _ request: Request,
        context: HTTPRequestContext,
        next: @concurrent (Request, HTTPRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let error = self.connections.refusal(of: context.channel) else {
            return try await next(request, context)
        }
        self.refusals.increment()
        let headers: HTTPFields = [.retryAfter: "\(Self.retryTime)"]
        return self.endpoints.response(
            to: request,
            Refusal(error.code, error.message, status: .serviceUnavailable, headers: headers)
        )
    }
}
