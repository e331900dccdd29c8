internal import Hummingbird

/// Form of the errors of an endpoint that does not report them as plain text.
struct ErrorForm: Sendable {
    /// Whether the errors at a path have this form.
    let covers: @Sendable (_ path: String) -> Bool
    /// Creates the response to a request that is not served.
    let response: @Sendable (Refusal) -> Response
}
