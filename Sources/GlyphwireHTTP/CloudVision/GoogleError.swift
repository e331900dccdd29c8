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
        if error == .tooLarge {
            // As Google words it, with its status.
            self.init("Request payload size exceeds the limit: \(maxByteCount) bytes.")
        } else {
            let text = error.described(maxByteCount: maxByteCount).message
            let sentence = "\(text.prefix(1).uppercased())\(text.dropFirst())."
            self.init(sentence, status: error.status, headers: error.headers)
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
