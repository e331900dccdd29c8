internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

extension Response {
    /// Creates the response to a request that is not served: text, or an error line where clients expect one.
    static func refusal(
        of request: Request,
        _ code: WireError.Code,
        _ message: String,
        status: HTTPResponse.Status,
        headers: HTTPFields = [:]
    ) -> Response {
        guard ReadRoutes.isPath(request.uri.path) else {
            return .text(message + ".\n", status: status, headers: headers)
        }
        return ReadError(WireError(code, message), status: status, headers: headers).response
    }
}
