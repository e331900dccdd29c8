/// Error of a request's body.
enum BodyError: Error, Hashable {
    /// The body exceeds the limit, as sent or decompressed.
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
}
