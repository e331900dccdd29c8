internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

/// Error of a request's body.
enum BodyError: Error, Hashable {
    /// The body exceeds the limit, as sent or unpacked.
    case tooLarge
    /// The server has no memory for the body.
    case noMemory
    /// The content coding is not supported.
    case unknownCoding(String)
    /// The body does not match its `Content-Encoding`, with a reason in a few words.
    case damaged(ContentCoding, String)
    /// The body is gzip without a `Content-Encoding`.
    case unnamedGzip
    /// The connection failed before its end.
    case endedEarly
    /// The body did not arrive in time.
    case late

    /// The error with its cause and its remedy, where a body may have `maxByteCount` bytes.
    func described(maxByteCount: Int) -> WireError {
        switch self {
        case .tooLarge:
            WireError(
                .messageTooLarge,
                "the body has more than \(maxByteCount) bytes; send fewer or smaller pictures"
            )
        case .noMemory:
            WireError(.overloaded, "the server has no memory left for the request; send it again later")
        case .unknownCoding(let name):
            WireError(
                .badRequest,
                "the body has the Content-Encoding \"\(name)\"; use \(ContentCoding.offered) or none"
            )
        case .damaged(let coding, let reason):
            WireError(
                .badRequest,
                "the body's Content-Encoding is \(coding.rawValue), but it cannot be unpacked: \(reason)"
            )
        case .unnamedGzip:
            WireError(
                .badRequest,
                "the body is gzip and does not say so; send it with \"Content-Encoding: gzip\""
            )
        case .endedEarly:
            WireError(.badRequest, "the request ended early; send all of its body")
        case .late:
            WireError(
                .timeout,
                "the request did not arrive in time; send fewer or smaller pictures, or over a faster network"
            )
        }
    }

    /// The status of the response.
    var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .noMemory: .serviceUnavailable
        case .unknownCoding: .unsupportedMediaType
        case .damaged, .unnamedGzip, .endedEarly: .badRequest
        case .late: .requestTimeout
        }
    }

    /// Headers of the response.
    var headers: HTTPFields {
        guard case .unknownCoding = self else { return [:] }
        return [.acceptEncoding: ContentCoding.offered]
    }
}
