internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
    /// Creates a response of plain text.
    static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        contentType: String = "text/plain; charset=utf-8",
        headers: HTTPFields = [:]
    ) -> Response {
        Response.bytes(ByteBuffer(string: text), status: status, contentType: contentType, headers: headers)
    }

    /// Creates a response of `bytes` that is not cached.
    static func bytes(
        _ bytes: ByteBuffer,
        status: HTTPResponse.Status = .ok,
        contentType: String,
        headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = contentType
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}
