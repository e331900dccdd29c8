package import GlyphwireProtocol

/// Refusal of the token of an HTTP request.
package struct TokenRefusal: Error {
    /// The reason.
    package let error: WireError
    /// The token, if it is known.
    package var known: AccessToken?
}
