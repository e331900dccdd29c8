internal import GlyphwireProtocol
internal import GlyphwireServer
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
    init(badRequest message: String, status: HTTPResponse.Status = .badRequest) {
        self.init(WireError(.badRequest, message), status: status)
    }

    /// The error of an option, or of a picture that cannot be embedded.
    init(_ error: WireError) { self.init(error, status: Self.status(of: error.code)) }

    /// The error of a picture that could not be read.
    ///
    /// - Parameters:
    ///   - error: The error of its result.
    ///   - graceLeft: The rest of the server's grace period, when one that is stopping has stopped.
    init(ofPicture error: WireError, graceLeft: Duration) {
        guard error == .serverStops else {
            self.init(error)
            return
        }
        // How long the service is unavailable (RFC 9110, 10.2.3), in whole seconds: the one that has begun counts.
        let seconds = max(graceLeft.components.seconds + 1, 1)
        self.init(error, status: .serviceUnavailable, headers: [.retryAfter: "\(seconds)"])
    }

    /// The error of a picture that was not read; `nil` if it was.
    init?(unread result: FrameResult, graceLeft: Duration) {
        switch result.outcome {
        case .ok: return nil
        case .error(let error): self.init(ofPicture: error, graceLeft: graceLeft)
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
