internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Error of a request as a whole, as Google's interfaces report it.
struct GoogleError {
    let message: String
    let status: HTTPResponse.Status
    let headers: HTTPFields

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - message: A sentence.
    ///   - status: The status of the response, which has a name in Google's `google.rpc.Code`.
    ///   - headers: Headers of the response.
    init(_ message: String, status: HTTPResponse.Status = .badRequest, headers: HTTPFields = [:]) {
        self.message = message
        self.status = status
        self.headers = headers
    }

    /// Creates the error of a body.
    init(_ error: BodyError, maxByteCount: Int) {
        switch error {
        case .tooLarge:
            self.init("Request payload size exceeds the limit: \(maxByteCount) bytes.")
        case .noMemory:
            self.init("The server has no memory left for the request.", status: .serviceUnavailable)
        case .unknownCoding(let name):
            self.init(
                "The body has the Content-Encoding \"\(name)\", which is not supported; use \(ContentCoding.offered) "
                    + "or none.",
                status: .unsupportedMediaType,
                headers: [.acceptEncoding: ContentCoding.offered]
            )
        case .damaged(let coding, let reason):
            self.init("The body's Content-Encoding is \(coding.rawValue), but it cannot be decompressed: \(reason).")
        case .unnamedGzip:
            self.init("The body is gzip without a header for it: send it with \"Content-Encoding: gzip\".")
        case .endedEarly:
            self.init("The request ended early.")
        case .late:
            self.init("The request did not arrive in time.", status: .requestTimeout)
        }
    }

    /// The response.
    var response: Response {
        var body = ByteBuffer()
        body.writeJSON { json in
            json.object { json in
                json.object("error") { json in
                    json.integer("code", self.status.code)
                    json.string("message", self.message)
                    json.string("status", self.name)
                }
            }
        }
        return CloudVisionRoutes.response(body, status: self.status, headers: self.headers)
    }

    /// Google's name of the status.
    private var name: String {
        switch self.status {
        case .unauthorized: "UNAUTHENTICATED"
        case .forbidden: "PERMISSION_DENIED"
        case .notFound: "NOT_FOUND"
        case .methodNotAllowed: "UNIMPLEMENTED"
        case .requestTimeout: "DEADLINE_EXCEEDED"
        case .tooManyRequests: "RESOURCE_EXHAUSTED"
        case .serviceUnavailable: "UNAVAILABLE"
        default: "INVALID_ARGUMENT"
        }
    }
}
