internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Error of a request to read pictures: an `error` line of the protocol, and the status of HTTP.
struct ReadError: Error {
    let error: WireError
    let status: HTTPResponse.Status
    let headers: HTTPFields

    init(_ error: WireError, status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.error = error
        self.status = status
        self.headers = headers
    }

    /// The error of a request's form.
    init(badRequest message: String, status: HTTPResponse.Status = .badRequest, headers: HTTPFields = [:]) {
        self.init(WireError(.badRequest, message), status: status, headers: headers)
    }

    /// The error of an option, or of the request's only picture.
    init(_ error: WireError) {
        self.init(error, status: Self.status(of: error.code))
    }

    /// The error of a picture that was not read; `nil` if it was.
    init?(unread result: FrameResult) {
        switch result.outcome {
        case .ok: return nil
        case .error(let error): self.init(error)
        case .expired:
            self.init(
                WireError(
                    .overloaded,
                    "the frame was not read before its deadline; send fewer, or ask for application/json"
                )
            )
        case .dropped, .other:
            self.init(
                WireError(
                    .overloaded,
                    "a newer frame of the stream superseded this one; send fewer, or ask for application/json"
                )
            )
        }
    }

    /// The error of a body.
    init(_ error: BodyError, maxByteCount: Int) {
        switch error {
        case .tooLarge:
            self.init(
                WireError(
                    .messageTooLarge,
                    "the body has more than \(maxByteCount) bytes; send fewer or smaller pictures"
                ),
                status: .contentTooLarge
            )
        case .noMemory:
            self.init(WireError(.overloaded, "the server has no memory left for the request; send it again later"))
        case .unknownCoding(let name):
            self.init(
                badRequest: "the body has the Content-Encoding \"\(name)\"; use \(ContentCoding.offered) or none",
                status: .unsupportedMediaType,
                headers: [.acceptEncoding: ContentCoding.offered]
            )
        case .damaged(let coding, let reason):
            self.init(
                badRequest: "the body's Content-Encoding is \(coding.rawValue), but it cannot be unpacked: \(reason)"
            )
        case .unnamedGzip:
            self.init(badRequest: "the body is gzip and does not say so; send it with \"Content-Encoding: gzip\"")
        case .endedEarly:
            self.init(badRequest: "the request ended early; send all of its body")
        case .late:
            self.init(
                WireError(
                    .timeout,
                    "the request did not arrive in time; send fewer or smaller pictures, or over a faster network"
                ),
                status: .requestTimeout
            )
        }
    }

    /// The response.
    var response: Response {
        var body = ByteBuffer()
        LineWriter().write(error: ErrorLine(error: self.error, sequence: nil, isFatal: false), into: &body)
        return .bytes(body, status: self.status, contentType: "application/json", headers: self.headers)
    }

    private static func status(of code: WireError.Code) -> HTTPResponse.Status {
        switch code {
        case .badOption, .unknownOption, .unsupportedLanguage, .levelUnavailable, .badOrientation, .emptyPayload,
            .badConfiguration:
            .badRequest
        case .tooManyPixels: .contentTooLarge
        case .fileUnsupported: .unsupportedMediaType
        case .overloaded: .serviceUnavailable
        case .internalError: .internalServerError
        default: .unprocessableContent
        }
    }
}
