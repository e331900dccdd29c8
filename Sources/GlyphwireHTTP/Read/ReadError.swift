internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Error of a request to read pictures: an `error` line of the protocol, and the status of HTTP.
struct ReadError: Error {
    /// Time after which a client should try again when the server stops, in seconds: the default grace, within which it has.
    private static let stopRetryTime = 10

    let error: WireError
    let status: HTTPResponse.Status
    let headers: HTTPFields

    init(_ error: WireError, status: HTTPResponse.Status, headers: HTTPFields = [:]) {
        self.error = error
        self.status = status
        self.headers = headers
    }

    /// The error of a request's form.
    init(badRequest message: String, status: HTTPResponse.Status = .badRequest) {
        self.init(WireError(.badRequest, message), status: status)
    }

    /// The error of an option, or of the request's only picture.
    init(_ error: WireError) {
        if error == .serverStops {
            self.init(error, status: .serviceUnavailable, headers: [.retryAfter: "\(Self.stopRetryTime)"])
        } else {
            self.init(error, status: Self.status(of: error.code))
        }
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
        self.init(error.described(maxByteCount: maxByteCount), status: error.status, headers: error.headers)
    }

    /// The response.
    var response: Response {
        var body = ByteBuffer()
        LineWriter().write(.error(ErrorLine(error: self.error, sequence: nil, isFatal: false)), into: &body)
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
