internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

extension Response {
    /// Creates the response to a request that is not served, in the form of the errors of its path.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - code: The code for `/v1/read`, whose errors are those of the protocol.
    ///   - message: The error without a full stop.
    ///   - status: The status.
    ///   - headers: Headers of the response.
    ///   - advice: What follows where errors are text.
    /// - Returns: The response.
    static func refusal(
        of request: Request,
        _ code: WireError.Code,
        _ message: String,
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        advice: String = ""
    ) -> Response {
        let path = request.uri.path
        if ReadRoutes.isPath(path) {
            return ReadError(WireError(code, message), status: status, headers: headers).response
        }
        let sentence = message + "."
        if CloudVisionRoutes.isPath(path) { return GoogleError(sentence, status: status, headers: headers).response }
        return .text(sentence + "\n" + advice, status: status, headers: headers)
    }
}
