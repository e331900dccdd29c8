internal import GlyphwireProtocol
internal import HTTPTypes
internal import Hummingbird

/// Refusal of a request that is not served.
struct Refusal: Sendable {
    /// The code, for errors in the form of the protocol.
    let code: WireError.Code
    /// The error without a full stop.
    let message: String
    /// The status of the response.
    let status: HTTPResponse.Status
    /// Headers of the response.
    let headers: HTTPFields
    /// What follows where errors are plain text.
    private let advice: String

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - code: The code, for errors in the form of the protocol.
    ///   - message: The error without a full stop.
    ///   - status: The status of the response.
    ///   - headers: Headers of the response.
    ///   - advice: What follows where errors are plain text.
    init(
        _ code: WireError.Code,
        _ message: String,
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        advice: String = ""
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.headers = headers
        self.advice = advice
    }

    /// The error as a sentence.
    var sentence: String { self.message + "." }

    /// The response of plain text.
    var text: Response { .text(self.sentence + "\n" + self.advice, status: self.status, headers: self.headers) }
}
