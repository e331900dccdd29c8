/// Codes of picture files, which `glyphwire read` and `POST /v1/read` report; no frame of a connection has them.
extension WireError.Code {
    /// The file is not there, or may not be read.
    public static let fileUnreadable = Self(rawValue: "file_unreadable")
    /// The file is no picture, or of a kind that is not read.
    public static let fileUnsupported = Self(rawValue: "file_unsupported")
    /// The file is cut off or damaged.
    public static let fileCorrupt = Self(rawValue: "file_corrupt")
    /// The request over HTTP is not as HTTP or this interface has it.
    public static let badRequest = Self(rawValue: "bad_request")
}
